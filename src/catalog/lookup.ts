import type { Problem } from '../base/diagnostic.ts'
import { once } from '../base/once.ts'
import type { PinnedCatalog } from './digest.ts'
import type { Capability, Catalog, CatalogAccess, Entity, Parameter, ServedCatalog, Slot } from './model.ts'

/** Look-ups over a catalog, derived once. */
export interface CatalogIndex {
  readonly entities: ReadonlyMap<string, Entity>
  readonly capabilities: ReadonlyMap<string, Capability>
  /** In the catalog's order. */
  readonly capabilitiesOf: (entity: string) => readonly Capability[]
  /** Every slot name of the entity: fields, relations and parameters of its capabilities, each once, in code-unit order. */
  readonly slotNamesOf: (entity: string) => readonly string[]
}

/** The catalog's index; the same one for the same model. */
export const indexOf = once(makeIndex)

/** An entity's fields by name. */
export const fieldsOf = once(({ fields }: Entity) => byName(fields))

/** A capability's parameters by name. */
export const parametersOf = once(({ parameters }: Capability) => byName(parameters))

/** The required parameters of a capability. */
export const requiredOf = once(({ parameters }: Capability) => parameters.filter(({ required }) => required))

/** The slots that identify a row of the entity, in order; of text where it declares no such field. */
export const keySlotsOf = once((entity: Entity): readonly Slot[] =>
  entity.key.map(
    (name) =>
      fieldsOf(entity).get(name) ?? { name, type: { kind: 'string', semantics: 'short' }, required: true },
  ),
)

/** The parameter of a search that takes its words. */
export function textParameter({ parameters }: Capability): Parameter | undefined {
  return (
    parameters.find(({ role }) => role === 'search') ??
    parameters.find(({ required }) => required) ??
    parameters[0]
  )
}

/** If two have the same name, the first is used. */
function byName<Named extends { readonly name: string }>(
  named: readonly Named[],
): ReadonlyMap<string, Named> {
  return new Map(named.toReversed().map((one) => [one.name, one]))
}

function makeIndex(catalog: Catalog): CatalogIndex {
  const entities = new Map(catalog.entities.map((entity) => [entity.name, entity]))
  const capabilities = new Map(catalog.capabilities.map((capability) => [capability.name, capability]))
  const byEntity = new Map<string, Capability[]>()
  for (const capability of catalog.capabilities) {
    const siblings = byEntity.get(capability.entity)
    if (siblings) siblings.push(capability)
    else byEntity.set(capability.entity, [capability])
  }
  const slotNames = new Map<string, readonly string[]>()
  const capabilitiesOf = (entity: string) => byEntity.get(entity) ?? []
  return {
    entities,
    capabilities,
    capabilitiesOf,
    slotNamesOf: (name) => {
      let names = slotNames.get(name)
      if (!names) {
        const entity = entities.get(name)
        const slots: { readonly name: string }[] = [
          ...(entity?.fields ?? []),
          ...(entity?.relations ?? []),
          ...capabilitiesOf(name).flatMap((capability): readonly Slot[] => capability.parameters),
        ]
        slotNames.set(name, (names = [...new Set(slots.map((slot) => slot.name))].toSorted()))
      }
      return names
    },
  }
}

/** The catalogs that one call sees. Immutable: a reload makes a new set. */
export interface CatalogSet {
  /** By catalog id, in code-unit order of the ids. */
  readonly byId: ReadonlyMap<string, PinnedCatalog<ServedCatalog>>
  /** By id, those that the operator configured and that cannot be served now; absent: none. */
  readonly unread?: ReadonlyMap<string, UnreadCatalog>
}

/** Why a catalog cannot be served, and where it would be. */
export interface UnreadCatalog extends Pick<CatalogAccess, 'trust' | 'workspaces'> {
  readonly problem: Problem
}

/** A set of these catalogs. If two have the same id, the later one is used. */
export function catalogSet(
  catalogs: Iterable<PinnedCatalog<ServedCatalog>>,
  unread: ReadonlyMap<string, UnreadCatalog> = new Map(),
): CatalogSet {
  const sorted = [...catalogs].toSorted((a, b) =>
    a.catalog.id < b.catalog.id ? -1 : a.catalog.id > b.catalog.id ? 1 : 0,
  )
  const byId = new Map(sorted.map((pinned) => [pinned.catalog.id, pinned]))
  return { byId, ...(unread.size > 0 && { unread }) }
}

/**
 * The catalog that a seed's `api` names: by its exact id, else the only catalog whose id or alias matches without regard to
 * case. Only catalogs that `visible` accepts are considered, so that an answer never reveals the others.
 */
export function findApi(
  set: CatalogSet,
  api: string,
  visible: (id: string) => boolean,
):
  | { readonly found: PinnedCatalog<ServedCatalog> }
  | { readonly ambiguous: readonly string[] }
  | { readonly known: readonly string[] } {
  const exact = set.byId.get(api)
  if (exact && visible(api)) return { found: exact }
  const wanted = api.toLowerCase()
  const seen = [...set.byId.values()].filter(({ catalog }) => visible(catalog.id))
  const matches = seen.filter(({ catalog }) =>
    [catalog.id, ...catalog.aliases].some((name) => name.toLowerCase() === wanted),
  )
  if (matches.length === 1 && matches[0]) return { found: matches[0] }
  if (matches.length > 1) return { ambiguous: matches.map(({ catalog }) => catalog.id) }
  return { known: seen.flatMap(({ catalog }) => [catalog.id, ...catalog.aliases]) }
}
