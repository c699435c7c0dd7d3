import type { ExactJson } from '../../base/canonical.ts'
import type { Parameter } from '../model.ts'

/**
 * Bytes are written as base64, which is sent unchanged, or as text that is encoded before it is sent. File names are not
 * accepted.
 */
export const BLOB_WANTED = 'base64, or {text: …} for text that is encoded here'

/** The object form: `{text: "…"}`. */
export const BLOB_PARTS: readonly Parameter[] = [
  { name: 'text', type: { kind: 'string', semantics: 'document' }, required: true, role: 'plain' },
]

/** Whether the text is base64, in either alphabet, padded or not. All lines but the last have a length divisible by four. */
export function isBase64(text: string): boolean {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const last = lines.pop() ?? ''
  return (
    lines.every((line) => line.length % 4 === 0 && /^[\w+/-]+$/.test(line)) &&
    /^[\w+/-]*={0,2}$/.test(last) &&
    last.replace(/=+$/, '').length % 4 !== 1
  )
}

/** Encodes a fitted value for the API: padded base64 of the standard or the URL alphabet, in one line. */
export function base64Of(value: ExactJson, url: boolean): ExactJson {
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

/** Bytes per call of `String.fromCharCode`: the number of arguments of a call is limited. */
const PIECE = 8192
