import { matrix, rowOf, type Matrix } from './matrix.ts'
import { random, shuffled } from './sample.ts'

/** Texts as pieces, and the vectors that the sums of the pieces' rows should point to. */
export interface Lessons {
  readonly texts: readonly (readonly number[])[]
  readonly targets: Matrix
}

export interface Training {
  readonly epochs: number
  readonly batch: number
  readonly rate: number
  readonly seed: number
  /** The share of the texts that is only measured. */
  readonly heldBack: number
}

/** Constants of Adam (Kingma and Ba, 2015). */
const MEMORY = 0.9
const SQUARE_MEMORY = 0.999
const LEAST = 1e-8

/**
 * Moves the rows so that the sum of a text's rows points where its target does: Adam on the cosine, on the rows that a batch
 * touches. Arithmetic in a fixed order, so that the same input gives the same bytes.
 *
 * @returns the mean cosine over the texts held back, before the first epoch and after each
 */
export function train(rows: Matrix, { texts, targets }: Lessons, how: Training): number[] {
  const next = random(how.seed)
  const order = shuffled(texts.length, next)
  const held = order.subarray(0, Math.floor(texts.length * how.heldBack))
  const taught = order.subarray(held.length)
  const first = matrix(rows.rows, rows.width)
  const second = matrix(rows.rows, rows.width)
  const slope = matrix(rows.rows, rows.width)
  let firstShare = 1
  let secondShare = 1
  const cosines = [meanCosine(rows, texts, targets, held)]
  for (let epoch = 0; epoch < how.epochs; epoch++) {
    const mixed = shuffled(taught.length, next)
    for (let from = 0; from < mixed.length; from += how.batch) {
      const touched = new Set<number>()
      for (const at of mixed.subarray(from, from + how.batch)) {
        const text = taught[at] ?? 0
        learn(rows, slope, texts[text] ?? [], rowOf(targets, text))
        for (const piece of texts[text] ?? []) touched.add(piece)
      }
      firstShare *= MEMORY
      secondShare *= SQUARE_MEMORY
      const rate = (how.rate * Math.sqrt(1 - secondShare)) / (1 - firstShare)
      for (const piece of touched)
        step(
          [rows, slope, first, second].map((one) => rowOf(one, piece)),
          rate,
          how.batch,
        )
    }
    cosines.push(meanCosine(rows, texts, targets, held))
  }
  return cosines
}

/** Adds the slope of the cosine between the sum of a text's rows and its target to the slopes of these rows. */
function learn(rows: Matrix, slope: Matrix, pieces: readonly number[], target: Float32Array): void {
  const sum = sumOf(rows, pieces)
  const length = Math.sqrt(dot(sum, sum))
  if (length === 0) return
  const cosine = dot(sum, target) / length
  for (let i = 0; i < sum.length; i++)
    sum[i] = ((target[i] ?? 0) - (cosine * (sum[i] ?? 0)) / length) / length
  for (const piece of pieces) {
    const row = rowOf(slope, piece)
    for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) + (sum[i] ?? 0)
  }
}

/** One step of Adam on one row, uphill; the slope is used up. */
function step([row, slope, first, second]: readonly Float32Array[], rate: number, batch: number): void {
  if (!row || !slope || !first || !second) return
  for (let i = 0; i < row.length; i++) {
    const by = (slope[i] ?? 0) / batch
    slope[i] = 0
    first[i] = MEMORY * (first[i] ?? 0) + (1 - MEMORY) * by
    second[i] = SQUARE_MEMORY * (second[i] ?? 0) + (1 - SQUARE_MEMORY) * by * by
    row[i] = (row[i] ?? 0) + (rate * (first[i] ?? 0)) / (Math.sqrt(second[i] ?? 0) + LEAST)
  }
}

function meanCosine(rows: Matrix, texts: Lessons['texts'], targets: Matrix, which: Uint32Array): number {
  let total = 0
  for (const text of which) {
    const sum = sumOf(rows, texts[text] ?? [])
    const length = Math.sqrt(dot(sum, sum))
    if (length > 0) total += dot(sum, rowOf(targets, text)) / length
  }
  return total / which.length
}

function sumOf(rows: Matrix, pieces: readonly number[]): Float64Array {
  const sum = new Float64Array(rows.width)
  for (const piece of pieces) {
    const row = rowOf(rows, piece)
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (row[i] ?? 0)
  }
  return sum
}

function dot(a: Float64Array, b: Float64Array | Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
