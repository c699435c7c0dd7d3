import { matrix, rowOf, type Matrix } from './matrix.ts'

/** The mean of some vectors and the directions in which they differ most: a projection to fewer dimensions. */
export interface Axes {
  readonly mean: Float64Array
  /** One row a direction, the widest first. */
  readonly directions: readonly Float64Array[]
}

/** How often every pair of dimensions is turned; the rest is far below the precision of a table. */
const SWEEPS = 12

/**
 * Principal component analysis by Jacobi rotations. Only sums, products, quotients and square roots in a fixed order: IEEE
 * arithmetic gives the same bits on every machine.
 */
export function principalAxes(data: Matrix, dimensions: number): Axes {
  const { width } = data
  const mean = new Float64Array(width)
  for (let at = 0; at < data.rows; at++) {
    const row = rowOf(data, at)
    for (let i = 0; i < width; i++) mean[i] = (mean[i] ?? 0) + (row[i] ?? 0)
  }
  for (let i = 0; i < width; i++) mean[i] = (mean[i] ?? 0) / data.rows
  const { values, vectors } = eigen(covarianceOf(data, mean), width)
  const order = Array.from(values.keys()).toSorted((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b)
  const directions = order
    .slice(0, dimensions)
    .map((at) => Float64Array.from({ length: width }, (_, i) => vectors[i * width + at] ?? 0))
  return { mean, directions }
}

/** The vectors of a matrix along the directions. */
export function projected(data: Matrix, { mean, directions }: Axes): Matrix {
  const out = matrix(data.rows, directions.length)
  const centred = new Float64Array(data.width)
  for (let at = 0; at < data.rows; at++) {
    const row = rowOf(data, at)
    const target = rowOf(out, at)
    for (let i = 0; i < data.width; i++) centred[i] = (row[i] ?? 0) - (mean[i] ?? 0)
    for (const [k, direction] of directions.entries()) {
      let sum = 0
      for (let i = 0; i < data.width; i++) sum += (centred[i] ?? 0) * (direction[i] ?? 0)
      target[k] = sum
    }
  }
  return out
}

function covarianceOf(data: Matrix, mean: Float64Array): Float64Array {
  const { width } = data
  const sums = new Float64Array(width * width)
  const centred = new Float64Array(width)
  for (let at = 0; at < data.rows; at++) {
    const row = rowOf(data, at)
    for (let i = 0; i < width; i++) centred[i] = (row[i] ?? 0) - (mean[i] ?? 0)
    for (let i = 0; i < width; i++) {
      const left = centred[i] ?? 0
      for (let j = i; j < width; j++)
        sums[i * width + j] = (sums[i * width + j] ?? 0) + left * (centred[j] ?? 0)
    }
  }
  for (let i = 0; i < width; i++) {
    for (let j = i; j < width; j++) {
      const value = (sums[i * width + j] ?? 0) / data.rows
      sums[i * width + j] = value
      sums[j * width + i] = value
    }
  }
  return sums
}

/** The eigenvalues of a symmetric matrix, which it overwrites, and its eigenvectors as columns. */
function eigen(
  a: Float64Array,
  n: number,
): { readonly values: Float64Array; readonly vectors: Float64Array } {
  const vectors = new Float64Array(n * n)
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) turn(a, vectors, n, [p, q])
  return { values: Float64Array.from({ length: n }, (_, i) => a[i * n + i] ?? 0), vectors }
}

/** One Jacobi rotation: makes the element at p, q zero. */
function turn(a: Float64Array, vectors: Float64Array, n: number, [p, q]: readonly [number, number]): void {
  const apq = a[p * n + q] ?? 0
  if (apq === 0) return
  const theta = ((a[q * n + q] ?? 0) - (a[p * n + p] ?? 0)) / (2 * apq)
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let k = 0; k < n; k++) rotate(a, [k * n + p, k * n + q], c, s)
  for (let k = 0; k < n; k++) rotate(a, [p * n + k, q * n + k], c, s)
  for (let k = 0; k < n; k++) rotate(vectors, [k * n + p, k * n + q], c, s)
}

function rotate(values: Float64Array, [x, y]: readonly [number, number], c: number, s: number): void {
  const left = values[x] ?? 0
  const right = values[y] ?? 0
  values[x] = c * left - s * right
  values[y] = s * left + c * right
}
