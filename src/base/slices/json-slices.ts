import { isObjectOrList } from '../canonical.ts'
import { keysOf } from './keys.ts'
import { isLight, LIGHT, weightLeft } from './light.ts'

/** So many characters of a text are written at once. */
const TEXT_CHARACTERS = 100_000

/**
 * Plain data as JSON, together what `JSON.stringify` gives. A large value written at once would block other work.
 *
 * @yields pieces that are each written in about a millisecond
 */
export function* jsonSlices(value: unknown): Generator<string> {
  if (typeof value === 'string') return yield* textSlices(value)
  if (!isObjectOrList(value) || isLight(value)) return yield JSON.stringify(value) ?? 'null'
  yield* Array.isArray(value) ? listSlices(value) : recordSlices(value)
}

/**
 * An object as JSON.
 *
 * @yields members that are light together, and heavy ones piece by piece
 */
function* recordSlices(record: { readonly [key: string]: unknown }): Generator<string> {
  let [text, before, left] = ['', '{', LIGHT]
  for (const key of keysOf(record)) {
    const held = record[key]
    if (held === undefined) continue
    text += `${before}${JSON.stringify(key)}:`
    before = ','
    left = weightLeft(held, weightLeft(key, left))
    if (left > 0) {
      text += JSON.stringify(held) ?? 'null'
      continue
    }
    yield text
    yield* jsonSlices(held)
    ;[text, left] = ['', LIGHT]
  }
  yield before === '{' ? '{}' : `${text}}`
}

/**
 * A list as JSON.
 *
 * @yields items that are light together, and heavy ones piece by piece
 */
function* listSlices(items: readonly unknown[]): Generator<string> {
  let before = '['
  let left = LIGHT
  let light: unknown[] = []
  const written = () => {
    const text = `${before}${JSON.stringify(light).slice(1, -1)}`
    before = ','
    left = LIGHT
    light = []
    return text
  }
  for (const item of items) {
    let rest = weightLeft(item, left)
    if (rest <= 0 && light.length > 0) {
      yield written()
      rest = weightLeft(item, left)
    }
    if (rest > 0) {
      left = rest
      light.push(item)
    } else {
      yield before
      yield* jsonSlices(item)
      before = ','
    }
  }
  if (light.length > 0) yield written()
  yield ']'
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
