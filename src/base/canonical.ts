/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * One text for one value: compact JSON with the keys of every object in code-unit order (RFC 8785 for the values
 * that we hash: no NaN, no infinities). Keys whose value is `undefined` are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, held]) => held !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${canonicalJson(held)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

const encoder = new TextEncoder()

/**
 * Joins texts so that no two different lists give the same bytes: each part is preceded by its length in bytes of
 * UTF-8 (32 bits, big endian). Unlike a separator, a length cannot be typed by a tenant.
 */
export function lengthPrefixed(parts: readonly string[]): Uint8Array {
  // Three bytes of UTF-8 at most for each UTF-16 code unit.
  const bytes = new Uint8Array(parts.reduce((most, part) => most + 4 + 3 * part.length, 0))
  let at = 0
  for (const part of parts) {
    const { written } = encoder.encodeInto(part, bytes.subarray(at + 4))
    bytes[at] = written >>> 24
    bytes[at + 1] = written >>> 16
    bytes[at + 2] = written >>> 8
    bytes[at + 3] = written
    at += 4 + written
  }
  return bytes.subarray(0, at)
}

/** The number of bytes that the text takes in UTF-8. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length
}
