import { canonicalJson } from '../base/canonical.ts'
import { sha256 } from '../base/hash.ts'
import type { Catalog, PinnedCatalog } from './model.ts'
import { modelOf } from './served.ts'
import { MODEL_FORMAT } from './stored.ts'

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
