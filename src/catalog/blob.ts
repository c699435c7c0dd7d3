import type { Json } from '../base/canonical.ts'
import type { Parameter } from './model.ts'

/** How bytes are written: as base64, which goes on as it is, or as text that is encoded on its way. Never by a name. */
export const BLOB_WANTED = 'base64, or {text: …} for text that is encoded here'

/** What stands in the braces: `{text: "…"}`. */
export const BLOB_PARTS: readonly Parameter[] = [
  { name: 'text', type: { kind: 'string', semantics: 'document' }, required: true, role: 'plain' },
]

/** Is it base64, in either alphabet, padded or not? Lines but the last are of four characters each or a multiple. */
export function isBase64(text: string): boolean {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const last = lines.pop() ?? ''
  return (
    lines.every((line) => line.length % 4 === 0 && /^[\w+/-]+$/.test(line)) &&
    /^[\w+/-]*={0,2}$/.test(last) &&
    last.replace(/=+$/, '').length % 4 !== 1
  )
}

/** A fitted value as the API wants it: base64 of the one alphabet or the other, in one line, padded. */
export function base64Of(value: Json, url: boolean): Json {
  const written = typeof value === 'object' && value !== null && 'text' in value ? value['text'] : undefined
  if (typeof written === 'string') return encodeText(written, url)
  return typeof value === 'string' ? inAlphabet(value, url) : value
}

/** Text as base64 of its UTF-8. */
export function encodeText(text: string, url: boolean): string {
  const bytes = new TextEncoder().encode(text)
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + PIECE)))
  return inAlphabet(btoa(pieces.join('')), url)
}

function inAlphabet(base64: string, url: boolean): string {
  const bare = base64.replaceAll(/\s+/g, '').replace(/=+$/, '')
  const padded = bare + '='.repeat((4 - (bare.length % 4)) % 4)
  return url
    ? padded.replaceAll('+', '-').replaceAll('/', '_')
    : padded.replaceAll('-', '+').replaceAll('_', '/')
}

/** Bytes to a string of so many at once: arguments of one call are bounded. */
const PIECE = 8192
