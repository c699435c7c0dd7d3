import { stem } from '../base/words/stem.ts'
import { keywords } from '../base/words/words.ts'

/** The texts that have a word, ascending, and how much the word counts in each of them, before its rarity. */
interface Postings {
  readonly texts: Uint32Array
  readonly shares: Float32Array
}

/** An inverted index of numbered texts: words are found by their stems. */
export interface WordIndex {
  readonly postingsOf: (root: string) => Postings
  /** Each stem, with a word that has it. */
  readonly surfaces: ReadonlyMap<string, string>
}

/** What a field of the texts contains, and the factor of a word in it. */
export interface Field {
  readonly boost: number
  /** Made for the index and not kept. */
  readonly of: (text: number) => string
}

/** The constants of BM25+ (Lv and Zhai, 2011): repetition, length, and the least that a word counts. */
const REPETITION = 1.2
const LENGTH = 0.7
const LEAST = 0.5

/** Texts, or stems, of one slice: a few milliseconds. */
const SLICE = 100

const NONE: Postings = { texts: new Uint32Array(), shares: new Float32Array() }

/**
 * Indexes this many texts.
 *
 * @yields after each slice
 */
export function* indexWords(count: number, fields: readonly Field[]): Generator<void, WordIndex> {
  const surfaces = new Map<string, string>()
  const lengths = fields.map(() => new Uint32Array(count))
  // By stem: text, field and number of times, one after another.
  const found = new Map<string, number[]>()
  for (let text = 0; text < count; text++) {
    for (const [at, field] of fields.entries()) {
      const times = timesIn(field.of(text), surfaces)
      lengths[at]?.fill(times.size, text, text + 1)
      for (const [root, often] of times) {
        const its = found.get(root)
        if (its) its.push(text, at, often)
        else found.set(root, [text, at, often])
      }
    }
    if (text % SLICE === 0) yield
  }
  const shareOf = fields.map(({ boost }, at) => shares(boost, lengths[at] ?? NONE.texts))
  return { postingsOf: yield* packed(found, shareOf), surfaces }
}

/** How often each stem occurs in a content. */
function timesIn(content: string, surfaces: Map<string, string>): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const word of keywords(content)) {
    const root = stem(word)
    times.set(root, (times.get(root) ?? 0) + 1)
    if (!surfaces.has(root)) surfaces.set(root, word)
  }
  return times
}

type ShareOf = (text: number, often: number) => number

function shares(boost: number, lengths: Uint32Array): ShareOf {
  const middle = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return (text, often) => {
    const norm = REPETITION * (1 - LENGTH + (LENGTH * (lengths[text] ?? 0)) / middle)
    return boost * (LEAST + (often * (REPETITION + 1)) / (often + norm))
  }
}

/** All postings in two arrays, because there may be a million. */
function* packed(
  found: ReadonlyMap<string, readonly number[]>,
  shareOf: readonly ShareOf[],
): Generator<void, WordIndex['postingsOf']> {
  const places = new Map<string, number>()
  const starts = new Uint32Array(found.size + 1)
  const most = [...found.values()].reduce((sum, { length }) => sum + length / 3, 0)
  const texts = new Uint32Array(most)
  const values = new Float32Array(most)
  let end = 0
  for (const [root, its] of found) {
    const start = end
    for (let at = 0; at < its.length; at += 3) {
      const [text = 0, field = 0, often = 0] = its.slice(at, at + 3)
      if (end === start || texts[end - 1] !== text) texts[end++] = text
      values[end - 1] = (values[end - 1] ?? 0) + (shareOf[field]?.(text, often) ?? 0)
    }
    places.set(root, places.size)
    starts[places.size] = end
    if (places.size % SLICE === 0) yield
  }
  return (root) => {
    const place = places.get(root)
    if (place === undefined) return NONE
    const [from, to] = starts.subarray(place, place + 2)
    return { texts: texts.subarray(from, to), shares: values.subarray(from, to) }
  }
}
