import type { Gateway } from './contract.ts'
import { context } from './context.ts'
import { discover } from './discover.ts'
import { Models } from './models.ts'
import { page, snapshot } from './pages.ts'
import type { Parts } from './parts.ts'
import { plan } from './plan.ts'
import { registry } from './registry.ts'
import { run } from './run.ts'
import { close, session, sessions, sessionTable } from './sessions.ts'

/** The engine over these parts: the one that every surface talks to. */
export function createGateway(parts: Parts): Gateway {
  const models = new Models(parts.store)
  return {
    context: (caller, input) => context(parts, models, caller, input),
    discover: (caller, input) => discover(parts, caller, input),
    plan: (caller, input) => plan(parts, models, caller, input),
    run: (caller, input, options) => run(parts, models, caller, input, options),
    session: (caller, ref) => session(parts, models, caller, ref),
    sessions: (caller) => sessions(parts, models, caller),
    close: (caller, ref) => close(parts, caller, ref),
    table: (caller, ref) => sessionTable(parts, models, caller, ref),
    page: (caller, handle, options) => page(parts, models, caller, handle, options),
    snapshot: (caller, uri) => snapshot(parts, models, caller, uri),
    registry: async (caller) => registry(parts, caller),
  }
}
