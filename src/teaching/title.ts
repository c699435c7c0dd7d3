import type { Entity } from '../catalog/model.ts'
import type { ExposedEntity, SymbolSpace } from '../session/exposure.ts'
import { prose } from './prose.ts'
import { isTelling } from './says-more.ts'

interface Titled {
  readonly space: SymbolSpace
  readonly exposed: ExposedEntity
  readonly entity: Entity
}

/** The entity's name, with its API if the session has several, and what its description adds. */
export function titleOf({ space, exposed, entity }: Titled): string {
  const catalogs = new Set(space.entities.filter(({ live }) => live).map(({ catalog }) => catalog))
  const name = catalogs.size > 1 ? `${exposed.catalog}.${exposed.entity}` : exposed.entity
  return isTelling(entity, exposed.catalog) ? `${name}: ${prose(entity.description ?? '')}` : name
}
