import { ok, type Result } from '../../base/diagnostic.ts'
import type { EngineCall } from '../call.ts'
import { engineProblem } from '../problems.ts'
import { keep } from '../session/entries.ts'
import { toKept } from '../session/kept.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { StoredRun } from './stored-run.ts'

/** Keeps an open plan of the session for one run. Gives the plan's ref, or `plans_full`. */
export async function keepPlan(
  call: EngineCall,
  session: LiveSession,
  plan: Omit<StoredRun, 'ref' | 'revision' | 'state'>,
): Promise<Result<string>> {
  const stored: StoredRun = { ...plan, ref: session.ref, revision: session.record.revision, state: 'open' }
  const { planLifeMs: lifeMs, plansPerSession: most } = call.limits
  const full = () => engineProblem('plans_full', { most })
  const kept = await keep(call, session, { kind: 'plan', body: toKept(stored), lifeMs, most, full })
  return kept.ok ? ok(`pc${kept.value}`) : kept
}
