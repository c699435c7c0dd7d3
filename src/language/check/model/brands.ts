import { once } from '../../../base/once.ts'
import { fieldsOf } from '../../../catalog/lookup.ts'
import type { Catalog, Slot } from '../../../catalog/model.ts'
import type { Target } from './checked.ts'

/**
 * A brand is the entity that a value identifies: `catalog entity`. A reference has its target's brand, a key its entity's,
 * and a slot that shares its value definition with a key has that entity's.
 */
export function brandsOf(owner: Target, slot: Slot): readonly string[] {
  const { catalog, entity } = owner
  if (slot.type.kind === 'reference') return [`${catalog.id} ${slot.type.entity}`]
  const shared = slot.value === undefined ? [] : (keyBrands(catalog).get(slot.value) ?? [])
  const own =
    entity.key.length === 1 && entity.key[0] === slot.name && fieldsOf(entity).get(slot.name) === slot
  return own ? [...new Set([entityBrand(owner), ...shared])] : shared
}

/** The brand of the entity's identity. */
export function entityBrand(target: Target): string {
  return `${target.catalog.id} ${target.entity.name}`
}

/** Two values are compatible if the brand of either is unknown or if they share a brand. */
export function mayShare(a: readonly string[], b: readonly string[]): boolean {
  return a.length === 0 || b.length === 0 || a.some((brand) => b.includes(brand))
}

/** By value definition: the entities whose single key has it. */
const keyBrands = once((catalog: Catalog): ReadonlyMap<string, readonly string[]> => {
  const brands = new Map<string, string[]>()
  for (const entity of catalog.entities) {
    const [only, second] = entity.key
    const value = second === undefined ? fieldsOf(entity).get(only ?? '')?.value : undefined
    if (value !== undefined) brands.set(value, [...(brands.get(value) ?? []), `${catalog.id} ${entity.name}`])
  }
  return brands
})
