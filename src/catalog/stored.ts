import type { Catalog, CatalogAccess } from './model.ts'

/**
 * The version of the model's shape. Change it when a stored model of the old shape can no longer be read as a `Catalog`: it
 * is part of the digest, so that models of two shapes never share one.
 */
export const MODEL_FORMAT = 4

/** A catalog model as stores keep it. */
export interface StoredModel extends Catalog {
  readonly format: number
}

/** The model alone, without the address and the credentials that a served catalog also holds. */
export function modelOf(catalog: Catalog & Partial<CatalogAccess>): Catalog {
  const {
    origin: _origin,
    otherOrigins: _others,
    auth: _auth,
    authOrigins: _authOrigins,
    trust: _trust,
    workspaces: _workspaces,
    needsWorkspace: _needs,
    ...model
  } = catalog
  return model
}

/** The model with the version of its shape. */
export function toStored(catalog: Catalog): StoredModel {
  return { ...modelOf(catalog), format: MODEL_FORMAT }
}

/** The model in a stored text; undefined if it has the shape of an earlier version, `newer` if that of a later one. */
export function fromStored(stored: Catalog): Catalog | 'newer' | undefined {
  const format = 'format' in stored ? Number(stored.format) : 0
  if (format > MODEL_FORMAT) return 'newer'
  return format === MODEL_FORMAT ? modelOf(stored) : undefined
}
