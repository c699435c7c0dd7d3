import { viewOf } from './call.ts'
import { indexOf } from './lookup.ts'
import type { Capability, Catalog, Relation } from './model.ts'
import { readsOf } from './preflight.ts'

type Allows = (catalog: string, capability: string) => boolean

/** The other capabilities that a capability uses. A caller needs the right to all of them. */
export function capabilitiesUsedBy(capability: Capability): readonly string[] {
  const { preflight } = capability
  const view = viewOf(capability)
  if (!view && !preflight) return []
  return [...new Set([...(view?.nodes ?? []).map((node) => node.capability), ...readsOf(preflight ?? [])])]
}

/** Whether a caller may use the capability and all that it uses. */
export function mayUse(catalog: string, capability: Capability, allows: Allows): boolean {
  return (
    allows(catalog, capability.name) && capabilitiesUsedBy(capability).every((name) => allows(catalog, name))
  )
}

/** Whether an entity is visible to a caller: it is hidden when no capability of it is allowed. */
export function isVisible(catalog: Catalog, entity: string, allows: Allows): boolean {
  const all = indexOf(catalog).capabilitiesOf(entity)
  return all.length === 0 || all.some((one) => mayUse(catalog.id, one, allows))
}

/** Whether a relation is visible to a caller: its target and the capability that reads it must be. */
export function mayWalk(catalog: Catalog, { target, via }: Relation, allows: Allows): boolean {
  if (!isVisible(catalog, target, allows)) return false
  const walked = 'capability' in via ? indexOf(catalog).capabilities.get(via.capability) : undefined
  return !walked || mayUse(catalog.id, walked, allows)
}
