import { once } from '../base/once.ts'
import { Sliced } from '../base/slices/sliced.ts'
import { type Corpus, type Gist, gistOf, sentenceOf } from './corpus.ts'
import type { Embedder, SentenceModel } from './embedder.ts'

/** Vectors, one after another, each to be multiplied by its scale: 8 bits a number, because there may be 20,000. */
export interface Rows {
  readonly values: Int8Array
  readonly scales: Float32Array
}

export interface Vectors {
  /** By number of the document. */
  readonly documents: Rows
  /** By number of the entity: the middle of its documents. */
  readonly entries: Rows
}

/** The vectors of a corpus by an embedder while they are made, and once they are. */
export const vectorsIn = once((embedder: Embedder) =>
  once((corpus: Corpus) => new Sliced(makeVectors(embedder, corpus, gistOf))),
)

/** Documents of one slice: a few milliseconds. */
const SLICE = 100

function* makeVectors(embedder: Embedder, corpus: Corpus, gist: Gist): Generator<void, Vectors> {
  const { dimensions } = embedder
  const documents = rowsFor(corpus.capabilityOf.length, dimensions)
  const entries = rowsFor(corpus.entries.length, dimensions)
  let made = 0
  for (const entry of corpus.entries) {
    const middle = new Float32Array(dimensions)
    for (let document = entry.first; document < entry.end; document++) {
      const vector = embedder.embed(gist(entry, corpus.capabilityOf[document]))
      for (const [at, value] of vector.entries()) middle[at] = (middle[at] ?? 0) + value
      put(documents, document, vector)
      if (++made % SLICE === 0) yield
    }
    const length = Math.hypot(...middle)
    put(
      entries,
      entry.at,
      middle.map((value) => value / (length || 1)),
    )
  }
  return { documents, entries }
}

/** The vectors of a corpus, or the texts that have none yet. */
export type Embedded = { readonly vectors: Vectors } | { readonly missing: readonly string[] }

/**
 * The vectors of a corpus by the vectors that a model of sentences keeps.
 *
 * @yields after each slice
 */
export function* embeddedIn(corpus: Corpus, { dimensions, kept }: SentenceModel): Generator<void, Embedded> {
  const missing = new Set<string>()
  const none = new Float32Array(dimensions)
  const embed = (text: string) => {
    const vector = kept(text)
    if (!vector) missing.add(text)
    return vector ?? none
  }
  const vectors = yield* makeVectors({ dimensions, embed }, corpus, sentenceOf)
  return missing.size > 0 ? { missing: [...missing] } : { vectors }
}

export function rowsFor(count: number, dimensions: number): Rows {
  return { values: new Int8Array(count * dimensions), scales: new Float32Array(count) }
}

export function put({ values, scales }: Rows, row: number, vector: Float32Array): void {
  const most = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
  if (most === 0) return
  scales[row] = most / 127
  for (const [at, value] of vector.entries())
    values[row * vector.length + at] = Math.round((value * 127) / most)
}

/** One vector, rounded as the rows are. */
export function packed(vector: Float32Array): Rows {
  const row = rowsFor(1, vector.length)
  put(row, 0, vector)
  return row
}

/** The cosine of a row of many and of the only row of another: whole numbers are multiplied twice as fast. */
export function cosine({ values, scales }: Rows, row: number, only: Rows): number {
  const start = row * only.values.length
  let sum = 0
  for (let at = 0; at < only.values.length; at++)
    sum = (sum + Math.imul(only.values[at] ?? 0, values[start + at] ?? 0)) | 0
  return sum * (scales[row] ?? 0) * (only.scales[0] ?? 0)
}
