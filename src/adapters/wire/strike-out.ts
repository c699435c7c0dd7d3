import type { ExactJson, Json } from '../../base/canonical.ts'
import { isList } from '../../base/json.ts'

/** Takes the secrets of a call out of what came back: APIs repeat them in messages, rows and next links. */
export interface StrikeOut {
  readonly text: (text: string) => string
  /**
   * The value without them, in texts, keys and numbers.
   *
   * @param source the text that the value was parsed from: where no secret can stand in it, the value is given back as it is
   */
  readonly value: (value: Json, source: string) => Json
}

/** Stands where a secret stood. No program means it: what holds it is not sent. */
const STRUCK = 'SECRET_REMOVED'

/** A shorter secret is struck out only as a whole word: as a part of longer words, it is mostly none. */
const SHORTEST_PART = 8

/** Does the value hold the mark of a secret that was struck out? Written back, it would replace the secret in the API. */
export function holdsStruck(value: ExactJson | undefined): boolean {
  if (typeof value === 'string') return value.includes(STRUCK)
  if (typeof value !== 'object' || value === null) return false
  return (isList(value) ? value : Object.values(value)).some(holdsStruck)
}

/** Strikes out these secrets, also where they are escaped for JSON, a URL or HTML, in whole or in part, or stand in base64. */
export function strikeOut(secrets: readonly string[]): StrikeOut {
  const known = [...new Set(secrets)]
    .filter((secret) => secret !== '')
    .toSorted((a, b) => b.length - a.length)
  if (known.length === 0) return { text: (text) => text, value: (value) => value }
  const anywhere = new RegExp(known.flatMap(formsOf).join('|'), 'u')
  const pattern = new RegExp(known.map(asPartOrWord).join('|'), 'gu')
  const text = (held: string) => held.replace(pattern, STRUCK)
  const value = (held: Json): Json => {
    if (typeof held === 'string') return text(held)
    if (typeof held === 'number') return known.includes(String(held)) ? STRUCK : held
    if (typeof held !== 'object' || held === null) return held
    if (Array.isArray(held)) return held.map(value)
    return Object.fromEntries(Object.entries(held).map(([key, one]) => [text(key), value(one)]))
  }
  return { text, value: (held, source) => (anywhere.test(source) ? value(held) : held) }
}

function asPartOrWord(secret: string): string {
  const part = formsOf(secret).join('|')
  return secret.length >= SHORTEST_PART ? part : `(?<![\\p{L}\\p{N}])${part}(?![\\p{L}\\p{N}])`
}

/** Patterns for the secret. In base64, a short one would be found in longer words. */
function formsOf(secret: string): readonly string[] {
  return [escapedAnyhow(secret), ...(secret.length >= SHORTEST_PART ? inBase64(secret) : [])]
}

/**
 * Patterns for the secret in base64 and base64url, by its place in what was encoded: behind 0, 1 or 2 bytes of a group of three.
 * Characters that hold bits of its neighbours are left out.
 */
function inBase64(secret: string): readonly string[] {
  return [0, 2, 3].map((shared, before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    return bytes
      .toString('base64')
      .slice(shared, Math.floor((bytes.length * 8) / 6))
      .replaceAll('/', '(?:\\\\{0,8}/|_|%2[Ff])')
      .replaceAll('+', '(?:[+-]|%2[Bb])')
  })
}

/** A pattern for the secret, each of its characters as it is or escaped. */
function escapedAnyhow(secret: string): string {
  return Array.from(secret, escapedCharacter).join('')
}

const HTML: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/** Bounded in what it repeats: an answer of backslashes must not take long. */
function escapedCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const units = Array.from({ length: character.length }, (_, at) => hex(character.charCodeAt(at), 4))
  const bytes = [...new TextEncoder().encode(character)].map((byte) => hex(byte, 2))
  const named = Object.hasOwn(HTML, character) ? [`&${HTML[character]};`] : []
  const ways = [
    `\\\\{0,8}${literally(character)}`,
    units.map((unit) => `\\\\{1,8}u${anyCase(unit)}`).join(''),
    bytes.map((byte) => `%(?:25){0,3}${anyCase(byte)}`).join(''),
    `&#0{0,4}${code};`,
    `&#[xX]0{0,4}${anyCase(code.toString(16))};`,
    ...named,
    ...(character === ' ' ? ['\\+'] : []),
  ]
  return `(?:${ways.join('|')})`
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}

function anyCase(digits: string): string {
  return digits.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

function literally(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')
}
