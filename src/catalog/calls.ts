import type { Capability } from './model.ts'
import { readsOf } from './preflight.ts'

/** The other capabilities of the catalog that one is made of: whoever may not use them may not use it. */
export function madeOf({ view, preflight }: Capability): readonly string[] {
  if (!view && !preflight) return []
  return [
    ...new Set([...(view?.nodes ?? []).map(({ capability }) => capability), ...readsOf(preflight ?? [])]),
  ]
}

/** May a caller use the capability, and all that it is made of? */
export function mayUse(
  catalog: string,
  capability: Capability,
  allows: (catalog: string, capability: string) => boolean,
): boolean {
  return allows(catalog, capability.name) && madeOf(capability).every((name) => allows(catalog, name))
}
