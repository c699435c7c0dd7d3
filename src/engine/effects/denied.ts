import type { Problem } from '../../base/diagnostic.ts'
import type { EngineCall } from '../call.ts'
import { engineProblem } from '../problems.ts'
import { effectPolicyOf } from '../session/effect-policy.ts'
import type { SessionPlan } from '../session/live-session.ts'
import { changeName, type EffectBound } from './effects.ts'

/** `effect_denied` for each change of the plan that the operator denies. */
export function deniedProblems(
  call: EngineCall,
  { session, plan }: SessionPlan,
  effects: readonly EffectBound[],
): readonly Problem[] {
  return effects
    .filter((effect) => effectPolicyOf(call, effect) === 'deny')
    .map((effect) =>
      engineProblem('effect_denied', { called: changeName(effect, plan, session.derived.model) }),
    )
}
