/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A JSON value as it is sent: integers that a double cannot hold are bigints, and are written with all their digits. */
export type ExactJson =
  null | boolean | number | bigint | string | readonly ExactJson[] | { readonly [key: string]: ExactJson }

/**
 * Canonical JSON: compact, with the keys of every object in code-unit order (RFC 8785 for the values that we hash: no NaN,
 * no infinities). Keys whose value is `undefined` are omitted.
 */
export function canonicalJson(value: unknown): string {
  return appended('', value)
}

/** Appends the value to the text, so that the result is built without intermediate copies. */
function appended(text: string, value: unknown): string {
  if (typeof value === 'string') return text + quoted(value)
  if (typeof value === 'bigint') return text + String(value)
  if (!isObjectOrList(value)) return text + (JSON.stringify(value) ?? 'null')
  let separator = ''
  let written = text
  if (Array.isArray(value)) {
    written += '['
    for (const held of value) {
      written = appended(written + separator, held)
      separator = ','
    }
    return `${written}]`
  }
  written += '{'
  for (const key of keysInOrder(value)) {
    const held = value[key]
    if (held === undefined) continue
    written = appended(written + `${separator}${quoted(key)}:`, held)
    separator = ','
  }
  return `${written}}`
}

/** ASCII characters that JSON does not escape. */
const PLAIN = /^[ !#-[\]-~]*$/

/** Text as a JSON string, with a fast path for text that needs no escapes. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** Do both have the same canonical text? Compares without writing it: most different values differ early. */
export function sameJson(a: ExactJson | undefined, b: ExactJson | undefined): boolean {
  if (a === b) return true
  if (!isObjectOrList(a) || !isObjectOrList(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  )
}

/** Is it an object or a list? */
export function isObjectOrList(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object'
}

/** The object's keys in code-unit order. Small objects, the usual case, are sorted in place. */
export function keysInOrder(value: object): readonly string[] {
  const keys = Object.keys(value)
  if (keys.length > 12) return keys.toSorted()
  for (const [index, key] of keys.entries()) {
    let at = index
    for (; at > 0 && key < (keys[at - 1] ?? ''); at--) keys[at] = keys[at - 1] ?? ''
    keys[at] = key
  }
  return keys
}

/**
 * Joins texts unambiguously: different lists give different texts. Each part is preceded by its length in UTF-16 code
 * units and a colon. Unlike a separator, a length cannot be forged by a tenant.
 */
export function lengthPrefixed(parts: readonly string[]): string {
  let joined = ''
  for (const part of parts) joined += `${part.length}:${part}`
  return joined
}

const encoder = new TextEncoder()

/** The length of the text in UTF-8, in bytes. */
export function utf8Bytes(text: string): number {
  // Most texts are ASCII, which needs no copy.
  // oxlint-disable-next-line no-control-regex -- every character of ASCII
  return /^[\0-\x7F]*$/.test(text) ? text.length : encoder.encode(text).length
}

/** Is the text longer than this in UTF-8? Counts bytes only if the number of characters does not decide it. */
export function exceedsBytes(text: string, most: number): boolean {
  return text.length > most || (text.length * 3 > most && utf8Bytes(text) > most)
}
