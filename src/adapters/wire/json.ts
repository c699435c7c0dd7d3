import { parse } from 'lossless-json'
import type { Json } from '../../base/canonical.ts'

/** Deeper answers than this serve nobody, and every recursive walk after us would have to fear them. */
export const MAX_DEPTH = 256

export type Parsed = { readonly value: Json } | { readonly wrong: 'not_json' | 'too_deep' }

/** A run of digits that a double may not hold, or an exponent that it may not. */
const BIG = /(?<![.\d])\d{16}|[:,[\s]-?\d[\d.]*[eE]\+?\d{3}/

/**
 * JSON text as a value. Integers beyond 2^53 (and numbers beyond a double) come as their digits in text. An own key
 * `__proto__` is a key like any other.
 */
export function parseJson(text: string): Parsed {
  if (text.trim() === '') return { value: null }
  // Before anything recursive sees it.
  if (isDeep(text)) return { wrong: 'too_deep' }
  try {
    return { value: BIG.test(text) ? parseWithDigits(text) : JSON.parse(text) }
  } catch {
    return { wrong: 'not_json' }
  }
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

const QUOTE = 0x22
const BACKSLASH = 0x5c

function isDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
