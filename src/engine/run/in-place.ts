import { problem as executionProblem } from '../../execution/problems.ts'
import type { EngineCall } from '../call.ts'
import type { Reply } from '../contract.ts'
import { engineProblem } from '../problems.ts'
import { MAX_WAITING } from '../memory/run-places.ts'
import { refuse } from '../reply/answer.ts'
import { principalKey } from '../session/principal.ts'

/**
 * Does the work of a run once its principal has a place for it. Gives `runs_full` where too many runs of the principal wait,
 * `run_waited` where this one waited for as long as a run may take, and `cancelled` where its caller goes meanwhile.
 */
export async function inPlace<Facts>(
  call: EngineCall,
  signal: AbortSignal,
  work: () => Promise<Reply<Facts>>,
): Promise<Reply<Facts>> {
  const { places, budget, every, limits } = call
  const principal = principalKey(call.caller)
  const afterwards = (giveUp: () => void) => every(budget.milliseconds, async () => giveUp())
  const refused = await places.take(principal, { signal, afterwards })
  if (refused === 'gone') return refuse([executionProblem('cancelled', { what: 'its turn' })])
  const most = limits.runsPerPrincipal
  if (refused === 'full') return refuse([engineProblem('runs_full', { most, waiting: MAX_WAITING })])
  if (refused === 'waited')
    return refuse([engineProblem('run_waited', { most, lifeMs: budget.milliseconds })])
  try {
    return await work()
  } finally {
    places.leave(principal)
  }
}
