import { canonicalJson } from '../base/canonical.ts'
import { sha256 } from '../base/hash.ts'
import type { Catalog } from './model.ts'
import { MODEL_FORMAT, modelOf } from './stored.ts'

/** A catalog and the digest that names exactly this model. */
export interface PinnedCatalog<Held extends Catalog = Catalog> {
  readonly digest: string
  readonly catalog: Held
}

/**
 * The digest of a model: SHA-256 (hex) of its canonical JSON and the version of its shape. Addresses and
 * credentials are no part of it: moving an API or a secret changes no session.
 */
export function digestOf(catalog: Catalog): string {
  return sha256(canonicalJson({ ...modelOf(catalog), format: MODEL_FORMAT }))
}

/** The catalog with its digest. */
export function pin<Held extends Catalog>(catalog: Held): PinnedCatalog<Held> {
  return { digest: digestOf(catalog), catalog }
}
