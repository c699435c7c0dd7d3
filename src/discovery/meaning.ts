import type { Corpus } from './corpus.ts'
import type { WordTable } from './embedder.ts'
import { packed, type Rows, type Vectors, vectorsIn } from './vectors.ts'
import { type Weights, WEIGHTS } from './weights.ts'

/** How the texts of a corpus are compared with those of a goal, and how much that counts. */
export interface Meaning {
  readonly vectors: Vectors
  /** The vector of a text of the goal. */
  readonly vectorOf: (text: string) => Rows
  readonly weights: Weights
}

/** Compares by the words of the texts, for any goal. */
export function meaningByWords(corpus: Corpus, table: WordTable): Meaning {
  return {
    vectors: vectorsIn(table)(corpus).whole(),
    vectorOf: (text) => packed(table.embed(text)),
    weights: WEIGHTS.static,
  }
}

/**
 * Compares by a model of sentences, for one goal.
 *
 * @param vectors of the corpus by this model
 * @param texts of the goal, each with its vector
 */
export function meaningBySentences(vectors: Vectors, texts: ReadonlyMap<string, Float32Array>): Meaning {
  return {
    vectors,
    vectorOf: (text) => {
      const vector = texts.get(text)
      if (!vector) throw new Error('A text of a goal has no vector.')
      return packed(vector)
    },
    weights: WEIGHTS.minilm,
  }
}
