import { canonicalJson, lengthPrefixed, utf8Bytes } from '../base/canonical.ts'
import { hmac128, hmacUuid, type Secret, sha256, uuidText } from '../base/hash.ts'

/** The longest intent, in bytes of UTF-8 after trimming. */
export const MAX_INTENT_BYTES = 4096

/**
 * The version of the symbol allocator and the row layout: a change of either starts a new execute row. It moves only
 * forward, and what earlier versions taught keeps the numbers that they gave.
 */
export const TEACHING_VERSION = 'teaching-4'

/** Is it of a version that is newer than this one? */
export function isLaterTeaching(version: string): boolean {
  return numberOf(version) > numberOf(TEACHING_VERSION)
}

function numberOf(version: string): number {
  return Number(/\d+$/.exec(version)?.[0] ?? 0)
}

/**
 * The reuse key of an execute row, in seven fields. A row is reused only if all of them are equal.
 */
export interface SessionReuseKey {
  readonly tenant_scope: readonly string[]
  /** The primary catalog: the lexicographically first of the opening call. */
  readonly entry_id: string
  readonly catalog_cgs_hash: string
  /** Of the primary catalog, sorted, each once. */
  readonly entities: readonly string[]
  /** The verified principal under delegated resolution. */
  readonly principal: string | null
  readonly plugin_generation_id: string
  readonly logical_session_id: string
}

/**
 * The address of `(tenant_scope, intent)`, 22 characters of base64url: an HMAC under the deployment's secret, over a
 * version and the length-prefixed parts. The same on every node; it cannot be computed without the secret.
 */
export function addressOf(secret: Secret, scope: readonly string[], intent: string): string {
  return hmacUuid(secret, lengthPrefixed(['intent', '1', ...scope, '', intent]))
}

/** What identifies an open without an intent, beside its scope: the reuse key, with all seeds and their digests. */
export interface PicksKey {
  readonly teachingVersion: string
  /** The verified principal under delegated resolution. */
  readonly delegated: string | null
  /** By catalog and entity in code-unit order, each once: the order of the seeds is irrelevant. */
  readonly picks: readonly {
    readonly catalog: string
    readonly digest: string
    readonly entities: readonly string[]
  }[]
}

/** The address of an open without an intent: the same picks under the same digests are the same session. */
export function addressOfPicks(
  secret: Secret,
  scope: readonly string[],
  { teachingVersion, delegated, picks }: PicksKey,
): string {
  const named = picks.map(({ catalog, digest, entities }) => [catalog, digest, [...entities]])
  const key = canonicalJson([teachingVersion, delegated, named])
  return hmacUuid(secret, lengthPrefixed(['picks', '1', ...scope, '', key]))
}

/** The `logical_session_id` of an address: the same 128 bits, as a UUID of version 8. */
export function logicalSessionId(address: string): string {
  return uuidText(address)
}

/** The seed's `session` of an execute row: 128 bits derived from the address and the row's generation, in hex. */
export function executeSessionId(secret: Secret, address: string, generation: number): string {
  return hmac128(secret, lengthPrefixed(['row', '1', address, String(generation)]))
}

/** The seed's `prompt_hash` of an execute row: SHA-256 (hex) of what its first wave taught. */
export function promptHash(text: string): string {
  return sha256(text)
}

/** White space that may surround an intent by accident: Unicode's White_Space, and no other invisible characters. */
const SPACE = /^[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]$/

/** The text without white space at its ends. */
function withoutEnds(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && SPACE.test(text.charAt(start))) start++
  while (start < end && SPACE.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/**
 * The intent in its identity form: trimmed, otherwise opaque (no normalization, no case folding). Returns the problem of
 * an invalid intent.
 */
export function readIntent(
  raw: string,
):
  | { readonly intent: string }
  | { readonly wrong: 'empty' | 'too_long' | 'ill_formed'; readonly bytes: number } {
  const intent = withoutEnds(raw)
  if (intent === '') return { wrong: 'empty', bytes: 0 }
  // Lone surrogates have no UTF-8: several such strings would share one address.
  if (!intent.isWellFormed()) return { wrong: 'ill_formed', bytes: 0 }
  const bytes = utf8Bytes(intent)
  return bytes > MAX_INTENT_BYTES ? { wrong: 'too_long', bytes } : { intent }
}

/** A ref as callers write it: the principal's short name or the long form. */
export type Ref = { readonly ordinal: number } | { readonly address: string }

/** Parses `s0` or `l_<22 base64url>`; undefined for anything else. */
export function readRef(text: string): Ref | undefined {
  const trimmed = text.trim()
  const short = /^s(0|[1-9]\d{0,14})$/.exec(trimmed)
  if (short) return { ordinal: Number(short[1]) }
  const long = /^l_([A-Za-z0-9_-]{22})$/.exec(trimmed)
  return long?.[1] === undefined ? undefined : { address: long[1] }
}

/** The short ref of a name: `s0`. */
export function shortRef(ordinal: number): string {
  return `s${ordinal}`
}

/** The long ref of an address: `l_<22 base64url>`. */
export function longRef(address: string): string {
  return `l_${address}`
}
