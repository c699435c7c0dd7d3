import { type Caller, visibilityOf } from '../../access/caller.ts'
import type { World } from '../../execution/executor.ts'
import type { EffectBound } from '../effects/effects.ts'
import { ledgerOf, type LedgerRun } from '../effects/ledger.ts'
import type { PageHandles } from './page-handles.ts'
import type { Parts } from '../parts.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { Uses } from '../session/uses.ts'

/**
 * The world that a run sees: the wire, the caller's rights as they are at each call, the ledger, and the pages of this
 * session.
 *
 * @param run what the ledger is kept for
 * @param uses is told every capability that the run used
 */
export function worldOf(
  parts: Parts,
  caller: Caller,
  session: LiveSession,
  effects: readonly EffectBound[],
  run: LedgerRun,
  uses: Uses,
  pages: PageHandles,
  signal: AbortSignal,
): World {
  const { allows } = visibilityOf(caller)
  return {
    wire: parts.wire,
    model: session.derived.model,
    budget: parts.budget,
    clock: parts.clock,
    signal,
    allows: (catalog, capability) => {
      const allowed = allows(catalog, capability)
      if (allowed) uses.add(catalog, capability)
      return allowed
    },
    ledger: ledgerOf(parts, caller, session, effects, run),
    goesOn: (catalog) => parts.loopPolicy(catalog) === 'continue',
    page: (handle) => pages.read(handle),
    runId: [session.owner.address, session.owner.principal, run.name].join('\n'),
    sessionId: [session.record.row.session, session.owner.principal].join('\n'),
  }
}
