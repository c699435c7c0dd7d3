import type { Problem } from '../../base/diagnostic.ts'
import type { Unsent } from '../../execution/outcome.ts'
import type { Plan } from '../../language/plan/plan.ts'
import { restOf as restPlan } from '../../language/plan/rest.ts'
import type { EngineCall } from '../call.ts'
import { engineProblem } from '../problems.ts'
import type { SessionPlan } from '../session/live-session.ts'
import type { UsesList } from '../session/uses.ts'
import { effectsOf } from './effects.ts'
import { keepPlan } from './keep-plan.ts'
import type { RestOrigin, RunLines } from './ledger.ts'

/** What the rows of a rest are of. */
interface RestOf {
  /** The plan that the loops are of: the program's own, or that of an earlier rest. */
  readonly ran: Plan
  /** The run that did not send them. */
  readonly run: RunLines
  readonly unsent: readonly Unsent[]
  /** What the rows were read with. */
  readonly uses: UsesList
}

/**
 * Keeps a plan of exactly the rows that each stopped loop did not send, and states it. It runs like a reviewed one: with the
 * program that the rows are of, once.
 */
export async function offerRest(
  call: EngineCall,
  { session, plan }: SessionPlan,
  { ran, run, unsent, uses }: RestOf,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const { node, rows } of unsent) {
    const rest = restPlan(ran, node, rows)
    if (!rest) continue
    const kept = await keepPlan(call, session, {
      digest: plan.digest,
      catalogs: plan.catalogs,
      effects: effectsOf(rest, call.budget),
      uses,
      rest,
      restOf: originOf(run, node, rows),
    })
    if (!kept.ok) problems.push(...kept.problems)
    else {
      const what = rest.returns[0]?.label ?? ''
      const { planLifeMs: lifeMs } = call.limits
      const shown = rows.map(({ row }) => row + 1)
      problems.push(engineProblem('rest_planned', { what, rows: shown, plan: kept.value, lifeMs }))
    }
  }
  return problems
}

/** Where rows of a run come from: a rest of a rest has rows of the first loop. */
function originOf({ name, restOf }: RunLines, node: string, rows: Unsent['rows']): RestOrigin {
  if (!restOf) return { run: name, node, rows: rows.map(({ row }) => row) }
  return { ...restOf, rows: rows.flatMap(({ row }) => restOf.rows[row] ?? []) }
}
