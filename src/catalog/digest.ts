import { canonicalJson } from '../base/canonical.ts'
import { sha256 } from '../base/hash.ts'
import type { Catalog, PinnedCatalog } from './model.ts'
import { MODEL_FORMAT } from './stored.ts'

/**
 * The digest of a model: SHA-256 (hex) of its canonical JSON and the version of its shape. Credentials are left out, so
 * that moving a secret changes no session.
 */
export function digestOf(catalog: Catalog): string {
  const { auth, ...rest } = catalog
  return sha256(canonicalJson({ ...rest, auth: withoutSecrets(auth), format: MODEL_FORMAT }))
}

/** The catalog with its digest. */
export function pin(catalog: Catalog): PinnedCatalog {
  return { digest: digestOf(catalog), catalog }
}

function withoutSecrets(auth: Catalog['auth']) {
  switch (auth.scheme) {
    case 'none':
      return auth
    case 'api_key':
      return { scheme: auth.scheme, in: auth.in, name: auth.name }
    case 'bearer':
      return { scheme: auth.scheme, optional: auth.optional }
    case 'client_credentials':
      return { scheme: auth.scheme, tokenUrl: auth.tokenUrl, scopes: auth.scopes }
  }
}
