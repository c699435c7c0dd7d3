/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** How what an object or a list holds under a key is written; undefined leaves it out of an object. */
type Writing = (held: unknown, key: string, holder: object) => string | undefined

/**
 * One text for one value: compact JSON with the keys of every object in code-unit order (RFC 8785 for the values
 * that we hash: no NaN, no infinities). Keys whose value is `undefined` are left out.
 *
 * @param write writes what the value holds, where that is not to be written as it is
 */
export function canonicalJson(value: unknown, write: Writing = asItIs): string {
  let text = ''
  if (Array.isArray(value)) {
    for (const held of value) text += `${text === '' ? '' : ','}${write(held, '', value) ?? 'null'}`
    return `[${text}]`
  }
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  for (const key of Object.keys(value).toSorted()) {
    const held = write(value[key], key, value)
    if (held !== undefined) text += `${text === '' ? '' : ','}${quoted(key)}:${held}`
  }
  return `{${text}}`
}

function asItIs(held: unknown): string | undefined {
  return held === undefined ? undefined : canonicalJson(held)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object'
}

/** A key as JSON: most have nothing to escape. */
function quoted(key: string): string {
  return /^\w+$/.test(key) ? `"${key}"` : JSON.stringify(key)
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
