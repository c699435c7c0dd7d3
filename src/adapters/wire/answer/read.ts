import type { Json } from '../../../base/canonical.ts'
import type { AnswerFormat } from '../../../catalog/calls/http-request.ts'
import type { Body } from '../body.ts'
import { parseJson, parseLines } from '../json.ts'
import { strikeOut } from '../strike-out.ts'

/** The body of an answer, decompressed, and how it is read. */
export interface AnswerBody {
  readonly body: Body
  readonly as: 'json' | AnswerFormat
  /** Struck out of what was read. */
  readonly secrets: readonly string[]
}

/** What a body holds; or why it is not JSON, and the beginning of its text. */
export type AnswerRead =
  { readonly value: Json } | { readonly wrong: 'not_json' | 'too_deep'; readonly text: string }

/** The most characters of a text that is not JSON: enough for any message. */
const MAX_TEXT = 1000

/** Reads a body in this thread, for as long as it takes. Bytes are read as base64; an empty body is null. */
export function readHere({ body, as, secrets }: AnswerBody): AnswerRead {
  const [first, ...more] = body
  const bytes = first && more.length === 0 ? first : Buffer.concat(body)
  if (bytes.length === 0) return { value: null }
  if (as === 'bytes') return { value: Buffer.from(bytes).toString('base64') }
  // Struck out of what was parsed: in the text, the escapes of JSON may hide a secret.
  const text = new TextDecoder().decode(bytes)
  const without = strikeOut(secrets)
  if (as === 'text') return { value: without.text(text) }
  const parsed = as === 'lines' ? parseLines(text) : parseJson(text)
  return 'value' in parsed
    ? { value: without.value(parsed.value, text) }
    : { wrong: parsed.wrong, text: without.text(text).trim().slice(0, MAX_TEXT) }
}
