import { viewOf } from './call.ts'
import { indexOf } from './lookup.ts'
import type { Capability, Catalog, Relation } from './model.ts'
import { readsOf } from './preflight.ts'

type Allows = (catalog: string, capability: string) => boolean

/** The other capabilities of the catalog that one is made of: whoever may not use them may not use it. */
export function madeOf(capability: Capability): readonly string[] {
  const { preflight } = capability
  const view = viewOf(capability)
  if (!view && !preflight) return []
  return [...new Set([...(view?.nodes ?? []).map((node) => node.capability), ...readsOf(preflight ?? [])])]
}

/** May a caller use the capability, and all that it is made of? */
export function mayUse(catalog: string, capability: Capability, allows: Allows): boolean {
  return allows(catalog, capability.name) && madeOf(capability).every((name) => allows(catalog, name))
}

/** Does the entity exist for a caller? One of whose capabilities none is allowed does not. */
export function isVisible(catalog: Catalog, entity: string, allows: Allows): boolean {
  const all = indexOf(catalog).capabilitiesOf(entity)
  return all.length === 0 || all.some((one) => mayUse(catalog.id, one, allows))
}

/** Does the relation exist for a caller: its target, and the capability that it is walked by? */
export function mayWalk(catalog: Catalog, { target, via }: Relation, allows: Allows): boolean {
  if (!isVisible(catalog, target, allows)) return false
  const walked = 'capability' in via ? indexOf(catalog).capabilities.get(via.capability) : undefined
  return !walked || mayUse(catalog.id, walked, allows)
}
