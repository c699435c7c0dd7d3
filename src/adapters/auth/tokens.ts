import { createHash, type KeyObject } from 'node:crypto'
import { decodeJwt, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import { isName } from '../../access/identity.ts'
import { entriesUpTo } from '../../base/cache-size.ts'
import type { Clock } from '../../base/clock.ts'
import type { Proof } from './proof.ts'
import { AuthUnavailable } from './unavailable.ts'

/** Public keys of an issuer. */
export interface KeySet {
  readonly keys: JWTVerifyGetKey
  /** Another value after the keys have changed: what was verified with the earlier ones is verified again. */
  readonly stamp: () => unknown
}

/** A trusted issuer, and how its tokens are verified. */
export interface Issuer {
  /** The `iss` of its tokens, exactly. */
  readonly issuer: string
  /** Our audiences: a token must name one of these. */
  readonly audience: readonly string[]
  /** A shared secret, for HS256 only; or public keys, for asymmetric algorithms only. */
  readonly key: { readonly secret: KeyObject } | KeySet
  /** Scopes that a token must carry, all of them. */
  readonly scopes: readonly string[]
  /** The tolerated clock skew of the issuer. */
  readonly toleranceSeconds: number
}

/** Longer texts are rejected without parsing. */
const MAX_LENGTH = 16 * 1024
const CACHED = 10_000
/** How long a verification is cached. */
const CACHED_MS = 60_000

const SHARED = ['HS256']
const PUBLIC = ['RS256', 'ES256', 'EdDSA', 'Ed25519']

/** The tenant is the first of these claims that a token has. */
const TENANT_CLAIMS = ['tenant_id', 'tid', 'tenant']

/**
 * Verifies bearer tokens: signed by a key of the issuer that the token names, with an algorithm of that kind of key, for
 * our audience, and valid now. Returns null for every other token. Throws `AuthUnavailable` if an issuer's keys cannot be
 * fetched.
 */
export function tokenReader(
  issuers: readonly Issuer[],
  clock: Clock,
): (token: string) => Promise<Proof | null> {
  const byName = new Map(issuers.map((issuer) => [issuer.issuer, issuer]))
  const verified = new LRUCache<string, Verified>(entriesUpTo(CACHED))
  return async (token) => {
    if (token.length > MAX_LENGTH) return null
    // The cache must not hold tokens that could be used elsewhere.
    const name = createHash('sha256').update(token).digest('base64url')
    const known = verified.get(name)
    if (known && isFresh(known, clock.now()) && known.stamp === stampOf(known.issuer)) return known.proof
    const issuer = byName.get(claimedIssuer(token) ?? '')
    if (!issuer) return null
    const stamp = stampOf(issuer)
    const payload = await verifiedPayload(token, issuer, clock)
    const proof = payload && proofOf(payload, issuer)
    if (!proof) return null
    verified.set(name, { proof, issuer, stamp, at: clock.now(), expiresAt: (payload.exp ?? 0) * 1000 })
    return proof
  }
}

/** A verification that succeeded. */
interface Verified {
  readonly proof: Proof
  readonly issuer: Issuer
  /** Of the keys that it was made with. */
  readonly stamp: unknown
  /** When it was made, and when the token expires: in milliseconds since the epoch. */
  readonly at: number
  readonly expiresAt: number
}

/** A clock that was set back does not lengthen the time. */
function isFresh({ at, expiresAt }: Verified, now: number): boolean {
  return at <= now && now < Math.min(at + CACHED_MS, expiresAt)
}

function stampOf({ key }: Issuer): unknown {
  return 'secret' in key ? key.secret : key.stamp()
}

/** Read before verification, only to choose the key, which must then fit. */
function claimedIssuer(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token)
    return typeof iss === 'string' ? iss : undefined
  } catch {
    return undefined
  }
}

async function verifiedPayload(
  token: string,
  { issuer, audience, key, toleranceSeconds }: Issuer,
  clock: Clock,
): Promise<JWTPayload | undefined> {
  const options = {
    issuer,
    audience: [...audience],
    clockTolerance: toleranceSeconds,
    currentDate: new Date(clock.now()),
    requiredClaims: ['exp', 'sub', 'iss', 'aud'],
  }
  try {
    const { payload } =
      'secret' in key
        ? await jwtVerify(token, key.secret, { ...options, algorithms: SHARED })
        : await jwtVerify(token, key.keys, { ...options, algorithms: PUBLIC })
    return isFromTheFuture(payload, options) ? undefined : payload
  } catch (error) {
    if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid)
      throw new AuthUnavailable(`the keys of ${issuer} cannot be had`, { cause: error })
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** Issued later than now: by a wrong clock, or to outlive a withdrawal. */
function isFromTheFuture(
  { iat }: JWTPayload,
  { currentDate, clockTolerance }: { readonly currentDate: Date; readonly clockTolerance: number },
): boolean {
  return iat !== undefined && iat > currentDate.getTime() / 1000 + clockTolerance
}

/** A claim of the wrong type invalidates the identity; it does not count as missing. */
function proofOf(payload: JWTPayload, { issuer, scopes }: Issuer): Proof | undefined {
  const { sub, iat, scope } = payload
  const claim = TENANT_CLAIMS.find((name) => Object.hasOwn(payload, name))
  const tenant = claim === undefined ? undefined : payload[claim]
  if (!isName(sub) || !(claim === undefined || isName(tenant))) return undefined
  const given = new Set(typeof scope === 'string' ? scope.split(' ') : [])
  if (!scopes.every((one) => given.has(one))) return undefined
  return {
    identity: { from: 'jwt', issuer, ...(isName(tenant) && { tenant }), subject: sub },
    issuedAt: typeof iat === 'number' ? iat * 1000 : undefined,
  }
}
