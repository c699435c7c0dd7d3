import { visibilityOf } from '../../access/caller.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { EngineCall } from '../call.ts'
import { effectPolicyOf } from './effect-policy.ts'

/** What the caller is taught: all that it may use, without the changes that the policy denies. */
export function taughtTo(call: Pick<EngineCall, 'caller' | 'catalogs' | 'effectPolicy'>) {
  const { allows, hides } = visibilityOf(call.caller)
  const { byId } = call.catalogs.current()
  const isDenied = (catalog: string, capability: string) => {
    const served = byId.get(catalog)?.catalog
    const effect = served && indexOf(served).capabilities.get(capability)?.effect
    return (
      effect !== undefined && effect !== 'read' && effectPolicyOf(call, { catalog, capability }) === 'deny'
    )
  }
  return {
    hides,
    allows: (catalog: string, capability: string) =>
      allows(catalog, capability) && !isDenied(catalog, capability),
  }
}
