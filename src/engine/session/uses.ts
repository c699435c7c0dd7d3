import { type Caller, visibilityOf } from '../../access/caller.ts'

/** Catalogs and capabilities, each pair once. */
export type UsesList = readonly (readonly [catalog: string, capability: string])[]

/** Collects what a run used, so that its kept results are withheld once the caller may no longer use it. */
export class Uses {
  readonly #seen = new Map<string, Set<string>>()

  add(catalog: string, capability: string): void {
    const capabilities = this.#seen.get(catalog) ?? new Set()
    this.#seen.set(catalog, capabilities.add(capability))
  }

  list(): UsesList {
    return [...this.#seen].flatMap(([catalog, capabilities]) =>
      [...capabilities].map((capability) => [catalog, capability] as const),
    )
  }
}

/** May the caller use all of it today? */
export function mayUseAll(caller: Caller, uses: UsesList): boolean {
  const { allows } = visibilityOf(caller)
  return uses.every(([catalog, capability]) => allows(catalog, capability))
}
