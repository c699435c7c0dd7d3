import { canonicalJson } from '../base/canonical.ts'
import { type Identity, principalOf } from './identity.ts'

/** Callers whose calls to APIs use secrets of their own. */
export interface SecretOwner {
  /** `keys`, `local`, or the issuer of their tokens. */
  readonly from: string
  /** Absent: callers whose credential names no tenant. */
  readonly tenant?: string
  /** One caller; absent: all callers of the tenant. */
  readonly subject?: string
  /** By the reference that a catalog names: the one to use in its place. References only, never secrets. */
  readonly secrets: Readonly<Record<string, string>>
}

type References = ReadonlyMap<string, string>

/**
 * The reference that a principal's calls use in place of a catalog's own: that of its subject, else that of its tenant, else
 * the same one. Other callers than the named ones never get it.
 *
 * @returns a function of the catalog's reference and the key of a principal; calls without a principal use the shared secret
 */
export function ownSecrets(
  owners: readonly SecretOwner[],
): (reference: string, principal: string | undefined) => string {
  const byKey = new Map<string, References>()
  for (const owner of owners) {
    const key = canonicalJson(keyOf(owner))
    byKey.set(key, new Map([...(byKey.get(key) ?? []), ...Object.entries(owner.secrets)]))
  }
  return (reference, principal) => {
    if (principal === undefined || byKey.size === 0) return reference
    return byKey.get(principal)?.get(reference) ?? byKey.get(groupOf(principal))?.get(reference) ?? reference
  }
}

/** The principal that the entry names; without a subject, the part of it that all callers of the tenant share. */
function keyOf({ from, tenant, subject }: SecretOwner): readonly string[] {
  if (from === 'local') return principalOf({ from })
  const who = { ...(tenant !== undefined && { tenant }), subject: subject ?? '' }
  const identity: Identity = from === 'keys' ? { from: 'key', ...who } : { from: 'jwt', issuer: from, ...who }
  const whole = principalOf(identity)
  return subject === undefined ? whole.slice(0, -SUBJECT_PART) : whole
}

/** A principal ends with its tag and its subject. */
const SUBJECT_PART = 2

/** The key of all callers of the principal's tenant. */
function groupOf(principal: string): string {
  const tuple: unknown = JSON.parse(principal)
  return canonicalJson(Array.isArray(tuple) ? tuple.slice(0, -SUBJECT_PART) : [])
}
