/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * One text for one value: compact JSON with the keys of every object in code-unit order (RFC 8785 for the values
 * that we hash: no NaN, no infinities). Keys whose value is `undefined` are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    let text = ''
    for (const [key, held] of Object.entries(value).toSorted(byKey)) {
      if (held === undefined) continue
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(held)}`
    }
    return `{${text}}`
  }
  return JSON.stringify(value) ?? 'null'
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Joins texts so that no two different lists give the same text: each part is preceded by its length in UTF-16 code units
 * and a colon. Unlike a separator, a length cannot be typed by a tenant.
 */
export function lengthPrefixed(parts: readonly string[]): string {
  let joined = ''
  for (const part of parts) joined += `${part.length}:${part}`
  return joined
}

const encoder = new TextEncoder()

/** The number of bytes that the text takes in UTF-8. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length
}
