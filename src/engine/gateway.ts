import type { Gateway } from './contract.ts'
import { context } from './context/context.ts'
import { Deliveries } from './session/deliveries.ts'
import { discover } from './discover.ts'
import { observer, runCounts } from './watch/events.ts'
import { Models } from './session/models.ts'
import { page, snapshot } from './run/pages.ts'
import type { Parts } from './parts.ts'
import { plan } from './run/plan.ts'
import { registry } from './registry.ts'
import { Repeats } from './context/repeats.ts'
import { run } from './run/run.ts'
import { close, session, sessions, sessionTable } from './session/sessions.ts'

/** The engine over these parts: the one that every surface talks to. */
export function createGateway(parts: Parts): Gateway {
  const models = new Models(parts.store)
  const deliveries = new Deliveries()
  const repeats = new Repeats()
  const observe = observer(parts)
  return {
    context: (caller, input, options) =>
      observe(
        'context',
        caller,
        (own) => context(own, models, deliveries, repeats, caller, input, options),
        ({ reused, revision }) => ({
          reused,
          revision,
        }),
      ),
    discover: (caller, input) =>
      observe(
        'discover',
        caller,
        (own) => discover(own, caller, input),
        ({ rows }) => ({ rows: rows.length }),
      ),
    plan: (caller, input) =>
      observe(
        'plan',
        caller,
        (own) => plan(own, models, caller, input),
        (told) => ({
          nodes: told.plan.nodes.length,
        }),
      ),
    run: (caller, input, options) =>
      observe('run', caller, (own) => run(own, models, caller, input, options), runCounts),
    session: (caller, ref) => observe('session', caller, (own) => session(own, models, caller, ref)),
    sessions: (caller) =>
      observe(
        'sessions',
        caller,
        (own) => sessions(own, models, caller),
        (told) => ({
          sessions: told.sessions.length,
        }),
      ),
    close: (caller, ref) =>
      observe(
        'close',
        caller,
        (own) => close(own, caller, ref),
        ({ closed }) => ({ closed }),
      ),
    table: (caller, ref) => observe('table', caller, (own) => sessionTable(own, models, caller, ref)),
    page: (caller, handle, options) =>
      observe('page', caller, (own) => page(own, models, caller, handle, options), runCounts),
    snapshot: (caller, uri) => observe('snapshot', caller, (own) => snapshot(own, models, caller, uri)),
    registry: (caller) => observe('registry', caller, async (own) => registry(own, caller)),
  }
}
