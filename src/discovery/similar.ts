import { once } from '../base/once.ts'
import { Sliced } from '../base/slices/sliced.ts'
import type { Corpus } from './corpus.ts'
import type { WordTable } from './embedder.ts'
import { cosine, packed, put, rowsFor } from './vectors.ts'

/** A word of the index that means about the same as another, by its stem. */
interface Similar {
  readonly root: string
  /** How much it counts: 1 for the word itself. */
  readonly likeness: number
}

/** The words of an index that are similar to a word, best first. */
export type SimilarTo = (word: string) => readonly Similar[]

/** The least cosine of similar words, and the most of them. */
const LEAST = 0.45
const MAX_SIMILAR = 4

/** Words of one slice: a few milliseconds. */
const SLICE = 500

/** The vectors of the words of a corpus while they are made, and once they are. */
export const similarIn = once((table: WordTable) =>
  once((corpus: Corpus) => new Sliced(makeSimilar(table, corpus))),
)

function* makeSimilar(table: WordTable, { index }: Corpus): Generator<void, SimilarTo> {
  const known = [...index.surfaces].filter(([, word]) => table.isWord(word))
  const rows = rowsFor(known.length, table.dimensions)
  for (const [at, [, word]] of known.entries()) {
    put(rows, at, table.embed(word))
    if (at % SLICE === 0) yield
  }
  return (word) => {
    if (!table.isWord(word)) return []
    const vector = packed(table.embed(word))
    const found: Similar[] = []
    for (const [at, [root]] of known.entries()) {
      const near = cosine(rows, at, vector)
      // Squared: words that are only related count little.
      if (near >= LEAST) found.push({ root, likeness: near ** 2 })
    }
    return found.toSorted((a, b) => b.likeness - a.likeness).slice(0, MAX_SIMILAR)
  }
}
