import type { EffectPolicy } from '../../access/policy.ts'
import type { EngineCall } from '../call.ts'

/** The policy for a change as of now: the caller's, else the deployment's for the catalog. */
export function effectPolicyOf(
  { effectPolicy, caller }: Pick<EngineCall, 'effectPolicy' | 'caller'>,
  { catalog, capability }: { readonly catalog: string; readonly capability: string },
): EffectPolicy {
  return caller.effectPolicy?.(catalog, capability) ?? effectPolicy(catalog)
}
