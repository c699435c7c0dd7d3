import { isRecord } from '../canonical.ts'
import { isLight } from './light.ts'

/** So many characters of a text are written at once. */
const TEXT_CHARACTERS = 100_000

/**
 * Plain data as JSON, together what `JSON.stringify` gives. A large value written at once would block other work.
 *
 * @yields pieces that are each written in about a millisecond
 */
export function* jsonSlices(value: unknown): Generator<string> {
  if (typeof value === 'string') return yield* textSlices(value)
  if (!isRecord(value) || isLight(value)) return yield JSON.stringify(value) ?? 'null'
  const isList = Array.isArray(value)
  let before = isList ? '[' : '{'
  for (const [key, held] of Object.entries(value)) {
    if (held === undefined && !isList) continue
    yield isList ? before : `${before}${JSON.stringify(key)}:`
    yield* jsonSlices(held)
    before = ','
  }
  yield isList ? ']' : '}'
}

function* textSlices(text: string): Generator<string> {
  if (text.length <= TEXT_CHARACTERS) return yield JSON.stringify(text)
  yield '"'
  for (let at = 0; at < text.length;) {
    // Both halves of a character are written together.
    const isHigh = /[\uD800-\uDBFF]/.test(text.charAt(at + TEXT_CHARACTERS - 1))
    const end = at + TEXT_CHARACTERS + (isHigh ? 1 : 0)
    yield JSON.stringify(text.slice(at, end)).slice(1, -1)
    at = end
  }
  yield '"'
}
