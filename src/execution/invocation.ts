import type { ExactJson } from '../base/canonical.ts'
import { hasOwnName } from '../catalog/call.ts'
import { indexOf } from '../catalog/lookup.ts'
import type { PinnedCatalog } from '../catalog/digest.ts'
import type { Capability, Entity } from '../catalog/model.ts'
import type { EntityName } from '../language/plan/plan.ts'
import type { Where } from './problems.ts'

/** A capability and everything that it is called with; values are checked already. */
export interface Invocation {
  readonly pinned: PinnedCatalog
  readonly capability: Capability
  /** The key slots of the row that it is called on. */
  readonly identity?: Readonly<Record<string, string>>
  /** By parameter name. */
  readonly arguments: ReadonlyMap<string, ExactJson>
  /** What was read for it right before, by variable of the request. */
  readonly found?: ReadonlyMap<string, ExactJson>
  /** The fields of its row that are used, for APIs that can be asked for some; undefined: whatever it gives. */
  readonly needs?: readonly string[] | undefined
}

/** A capability of a catalog, whatever it is called with. */
export type Called = Pick<Invocation, 'pinned' | 'capability'>

/** How problems name the capability. */
export function whereOf({ pinned, capability }: Called): Where {
  return { catalog: pinned.catalog.id, capability: capability.name, called: calledName(capability) }
}

/** How messages name a capability of the catalog: as the table teaches it; an unknown one by its own name. */
export function calledIn({ catalog }: PinnedCatalog, name: string): string {
  const capability = indexOf(catalog).capabilities.get(name)
  return capability ? calledName(capability) : name
}

/** Rows are called by their entity, everything else by its method. */
function calledName(capability: Capability): string {
  const { kind, entity, label } = capability
  const isRead = kind === 'get' || kind === 'query' || kind === 'search'
  return isRead && !hasOwnName(capability) ? entity : `${entity}.${label}`
}

/** The entity that the capability's rows are rows of. A catalog that was read has it: throws otherwise. */
export function entityOf({ pinned: { catalog }, capability }: Called): Entity {
  const entity = indexOf(catalog).entities.get(capability.entity)
  if (!entity) throw new Error(`${catalog.id} has no ${capability.entity}`)
  return entity
}

/** The name of that entity. */
export function entityNameOf({ pinned: { catalog, digest }, capability }: Called): EntityName {
  return { catalog: catalog.id, digest, entity: capability.entity }
}
