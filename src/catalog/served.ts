import { canonicalJson } from '../base/canonical.ts'
import { once } from '../base/once.ts'
import { type CatalogSet, indexOf } from './lookup.ts'
import type { PinnedCatalog } from './digest.ts'
import type { Capability, CatalogAccess, ServedCatalog } from './model.ts'

/** Where the calls of a served catalog go, with which credentials, and from where it may be called. */
export function accessOf(served: ServedCatalog): CatalogAccess {
  const { origin, otherOrigins, auth, authOrigins, trust, workspaces, needsWorkspace } = served
  return {
    origin,
    otherOrigins,
    auth,
    ...(authOrigins && { authOrigins }),
    ...(trust && { trust }),
    ...(workspaces && { workspaces }),
    ...(needsWorkspace && { needsWorkspace }),
  }
}

/** Why a capability that a session was taught cannot be called now. */
export type Gone = 'catalog_gone' | 'capability_gone' | 'capability_changed'

/**
 * The catalog of a session as it is served now, where it still has the capability and calls it in the same way. A session
 * may be older than the operator's last change: what it was taught keeps its meaning, and only what is served is called.
 */
export function servedNow(
  set: CatalogSet,
  { catalog, digest }: PinnedCatalog,
  name: string,
): { readonly served: ServedCatalog } | { readonly gone: Gone } {
  const now = set.byId.get(catalog.id)
  if (!now) return { gone: 'catalog_gone' }
  const present = indexOf(now.catalog).capabilities.get(name)
  if (!present) return { gone: 'capability_gone' }
  if (now.digest === digest) return { served: now.catalog }
  const taught = indexOf(catalog).capabilities.get(name)
  return taught && callText(taught) === callText(present)
    ? { served: now.catalog }
    : { gone: 'capability_changed' }
}

/** Everything that decides what a call of the capability sends and does: all of it but its prose. */
const callText = once(({ description: _description, terms: _terms, parameters, ...rest }: Capability) =>
  canonicalJson({ ...rest, parameters: withoutProse(parameters) }),
)

/** Parameters without their descriptions, also those inside their types. */
function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'description')
  return Object.fromEntries(kept.map(([name, held]) => [name, withoutProse(held)]))
}
