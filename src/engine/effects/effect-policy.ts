import type { Caller } from '../../access/caller.ts'
import type { EffectPolicy } from '../../access/policy.ts'
import type { Parts } from '../parts.ts'

/** How a change is let through today: as the caller's policy says, else as the deployment does for the catalog. */
export function effectPolicyOf(
  parts: Pick<Parts, 'effectPolicy'>,
  caller: Caller,
  { catalog, capability }: { readonly catalog: string; readonly capability: string },
): EffectPolicy {
  return caller.effectPolicy?.(catalog, capability) ?? parts.effectPolicy(catalog)
}
