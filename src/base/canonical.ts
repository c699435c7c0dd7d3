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
  const encoded = parts.map((part) => encoder.encode(part))
  const bytes = new Uint8Array(encoded.reduce((sum, part) => sum + 4 + part.length, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const part of encoded) {
    view.setUint32(at, part.length)
    bytes.set(part, at + 4)
    at += 4 + part.length
  }
  return bytes
}

/** The number of bytes that the text takes in UTF-8. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length
}
