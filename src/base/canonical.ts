/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * One text for one value: compact JSON with the keys of every object in code-unit order (RFC 8785 for the values
 * that we hash: no NaN, no infinities). Keys whose value is `undefined` are left out.
 */
export function canonicalJson(value: unknown): string {
  return appended('', value)
}

/** The text with the value behind it: a text that only grows at its end is written once. */
function appended(text: string, value: unknown): string {
  if (typeof value === 'string') return text + quoted(value)
  if (!isRecord(value)) return text + (JSON.stringify(value) ?? 'null')
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

/** ASCII without what JSON escapes. */
const PLAIN = /^[ !#-[\]-~]*$/

/** Text as JSON writes it: most has nothing to escape. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** Have the two one canonical text? Told without writing it: most values that differ do so early. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (!isRecord(a) || !isRecord(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  )
}

/** Is it something that holds others by key? */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object'
}

/** The object's keys in code-unit order. Most objects have few, and few are put in order faster without copies. */
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

/** Does the text take more bytes in UTF-8 than this? They are counted only where its length leaves that open. */
export function exceedsBytes(text: string, most: number): boolean {
  return text.length > most || (text.length * 3 > most && utf8Bytes(text) > most)
}
