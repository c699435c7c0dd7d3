import { once } from '../base/once.ts'
import { gistOf, type Corpus } from './corpus.ts'
import type { Embedder } from './embedder.ts'

/** A vector for each document of a corpus: `rows` holds them one after another, each to be multiplied by its scale. */
export interface Vectors {
  readonly rows: Int8Array
  readonly scales: Float32Array
}

/** The vectors of a corpus, made on first use; 8 bits a number, because a large deployment has 20,000 documents. */
export const vectorsOf = once((embedder: Embedder) =>
  once(({ entries, documents }: Corpus): Vectors => {
    const { dimensions } = embedder
    const rows = new Int8Array(documents.length * dimensions)
    const scales = new Float32Array(documents.length)
    for (const document of documents) {
      const entry = entries[document.entry]
      if (!entry) continue
      const vector = embedder.embed(gistOf(entry, document))
      let most = 0
      for (const value of vector) most = Math.max(most, Math.abs(value))
      if (most === 0) continue
      scales[document.at] = most / 127
      for (const [at, value] of vector.entries())
        rows[document.at * dimensions + at] = Math.round((value * 127) / most)
    }
    return { rows, scales }
  }),
)

/** The cosine of a vector and that of a document. */
export function cosine({ rows, scales }: Vectors, vector: Float32Array, document: number): number {
  const start = document * vector.length
  let sum = 0
  for (let at = 0; at < vector.length; at++) sum += (vector[at] ?? 0) * (rows[start + at] ?? 0)
  return sum * (scales[document] ?? 0)
}
