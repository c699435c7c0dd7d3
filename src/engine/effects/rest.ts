import type { Problem } from '../../base/diagnostic.ts'
import type { Unsent } from '../../execution/outcome.ts'
import type { Plan } from '../../language/plan/plan.ts'
import { restOf } from '../../language/plan/rest.ts'
import type { Call } from '../call.ts'
import { engineProblem } from '../problems.ts'
import { keep } from '../session/entries.ts'
import { toKept } from '../session/kept.ts'
import type { SessionPlan } from '../session/live-session.ts'
import type { Uses } from '../session/uses.ts'
import { effectsOf } from './effects.ts'
import type { StoredRun } from './stored-run.ts'

/**
 * Keeps a plan of exactly the rows that each stopped loop did not send, and states it. It runs like a reviewed one: with the
 * program that the rows are of, once.
 *
 * @param ran the plan that the loops are of: the program's own, or that of an earlier rest
 */
export async function offerRest(
  call: Call,
  { session, plan }: SessionPlan,
  { ran, unsent, uses }: { readonly ran: Plan; readonly unsent: readonly Unsent[]; readonly uses: Uses },
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const { node, rows } of unsent) {
    const rest = restOf(ran, node, rows)
    if (!rest) continue
    const stored: StoredRun = {
      ref: session.ref,
      digest: plan.digest,
      catalogs: plan.catalogs,
      revision: session.record.revision,
      effects: effectsOf(rest, call.budget),
      state: 'open',
      uses: uses.list(),
      rest,
    }
    const { planLifeMs: lifeMs, plansPerSession: most } = call.limits
    const full = () => engineProblem('plans_full', { most })
    const kept = await keep(call, session, { kind: 'plan', body: toKept(stored), lifeMs, most, full })
    if (!kept.ok) problems.push(...kept.problems)
    else {
      const what = rest.returns[0]?.label ?? ''
      problems.push(
        engineProblem('rest_planned', {
          what,
          rows: rows.map(({ row }) => row + 1),
          plan: `pc${kept.value}`,
          lifeMs,
        }),
      )
    }
  }
  return problems
}
