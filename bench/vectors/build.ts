import { wordPieces } from '../../src/adapters/embedder/word-piece.ts'
import type { Table } from '../../src/adapters/embedder/static-table.ts'
import { matrix, normalize, rowOf, type Matrix } from './matrix.ts'
import { principalAxes, projected } from './principal-axes.ts'
import { train, type Training } from './train.ts'

/** What a table is made of. */
export interface Sources {
  readonly vocabulary: readonly string[]
  readonly services: readonly string[]
  readonly texts: readonly string[]
  /** The model's vectors of the texts, and of each piece of the vocabulary alone. */
  readonly taught: Matrix
  readonly alone: Matrix
}

const DIMENSIONS = 128
const TRAINING: Training = { epochs: 4, batch: 512, rate: 2e-3, seed: 1, heldBack: 0.05 }
/** How strongly frequent pieces count less (smooth inverse frequency; Arora et al., 2017). */
const SMOOTH = 1e-3

/**
 * A table whose sums stand for the model's sentence vectors: a start for each piece, along the main axes of the texts and
 * weighted by frequency, trained further on the texts, and rounded to 8 bits with a scale a row.
 */
export function build(sources: Sources, dimensions = DIMENSIONS, training = TRAINING) {
  const places = new Map(sources.vocabulary.map((piece, at) => [piece, at]))
  const texts = sources.texts.map((text) => wordPieces(text, places))
  const axes = principalAxes(sources.taught, dimensions)
  const targets = projected(sources.taught, axes)
  normalize(targets)
  const rows = projected(startOf(sources, texts), axes)
  weigh(rows, texts)
  const cosines = train(rows, { texts, targets }, training)
  return { table: rounded(rows, sources), cosines }
}

/** Where training starts: the mean of the texts that a piece occurs in, or the model's vector of the piece alone. */
function startOf({ taught, alone }: Sources, texts: readonly (readonly number[])[]): Matrix {
  const start = matrix(alone.rows, alone.width)
  const seen = new Set(texts.flat())
  for (const [text, pieces] of texts.entries())
    for (const piece of new Set(pieces)) add(rowOf(start, piece), rowOf(taught, text))
  for (let piece = 0; piece < alone.rows; piece++)
    if (!seen.has(piece)) add(rowOf(start, piece), rowOf(alone, piece))
  normalize(start)
  return start
}

function add(sum: Float32Array, row: Float32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (row[i] ?? 0)
}

/** Makes the rows of frequent pieces shorter. */
function weigh(rows: Matrix, texts: readonly (readonly number[])[]): void {
  const counts = new Float64Array(rows.rows)
  let total = 0
  for (const pieces of texts) {
    for (const piece of pieces) counts[piece] = (counts[piece] ?? 0) + 1
    total += pieces.length
  }
  for (let at = 0; at < rows.rows; at++) {
    const row = rowOf(rows, at)
    const weight = SMOOTH / (SMOOTH + (counts[at] ?? 0) / total)
    for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) * weight
  }
}

function rounded(from: Matrix, { vocabulary, services }: Sources): Table {
  const scales = new Float32Array(from.rows)
  const rows = new Int8Array(from.values.length)
  for (let at = 0; at < from.rows; at++) {
    const row = rowOf(from, at)
    const scale = Math.fround(row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127)
    scales[at] = scale
    if (scale > 0)
      for (const [i, value] of row.entries()) rows[at * from.width + i] = Math.round(value / scale)
  }
  return { dimensions: from.width, vocabulary, services, scales, rows }
}
