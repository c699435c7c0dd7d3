import { parse } from 'lossless-json'
import type { Json } from '../../base/canonical.ts'
import { isList } from '../../base/json.ts'

/** The deepest nesting that is accepted: tables cannot show deeper data, and it protects every recursive walk. */
export const MAX_DEPTH = 200

export type Parsed = { readonly value: Json } | { readonly wrong: 'not_json' | 'too_deep' }

/**
 * Parses JSON. Integers beyond 2^53 (and numbers beyond a double) become strings of their digits. An own key `__proto__`
 * is a key like any other.
 */
export function parseJson(text: string): Parsed {
  if (text.trim() === '') return { value: null }
  try {
    const value: Json = JSON.parse(text)
    switch (flawOf(value, MAX_DEPTH)) {
      case undefined:
        return { value }
      case 'too_deep':
        return { wrong: 'too_deep' }
      case 'inexact':
        return { value: parseWithDigits(text) }
    }
  } catch {
    return { wrong: 'not_json' }
  }
}

/** Parses a list from a JSON value in each line (JSON lines, RFC 7464), or from a text that is one list itself. */
export function parseLines(text: string): Parsed {
  if (text.trimStart().startsWith('[')) return parseJson(text)
  const values: Json[] = []
  for (const line of text.split('\n')) {
    // A text sequence marks the beginning of each value.
    const written = line.startsWith('\u001e') ? line.slice(1) : line
    if (written.trim() === '') continue
    const parsed = parseJson(written)
    if ('wrong' in parsed) return parsed
    values.push(parsed.value)
  }
  return { value: values }
}

/** Whether a value from `JSON.parse` is nested more deeply than `MAX_DEPTH`. */
export function isTooDeep(value: Json): boolean {
  return flawOf(value, MAX_DEPTH) === 'too_deep'
}

/** What is wrong with a value from `JSON.parse`: excessive nesting, or numbers that lost digits. */
function flawOf(value: Json, levels: number): 'too_deep' | 'inexact' | undefined {
  if (typeof value === 'number') return isExact(value) ? undefined : 'inexact'
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return 'too_deep'
  let flaw: ReturnType<typeof flawOf>
  if (isList(value)) {
    for (const item of value) {
      const found = flawOf(item, levels - 1)
      if (found === 'too_deep') return found
      flaw ??= found
    }
    return flaw
  }
  // `Object.values` would make a list for every row.
  for (const key in value) {
    const found = flawOf(value[key] ?? null, levels - 1)
    if (found === 'too_deep') return found
    flaw ??= found
  }
  return flaw
}

/** Digits of an integer may be lost only if its double is beyond 2^53. */
function isExact(number: number): boolean {
  return Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number))
}

function parseWithDigits(text: string): Json {
  const value: unknown = parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- numbers are the only thing that it parses our way
  return value as Json
}

function parseNumber(digits: string): number | string {
  const number = Number(digits)
  const exact = /^-?\d+$/.test(digits) ? Number.isSafeInteger(number) : Number.isFinite(number)
  return exact ? number : digits
}
