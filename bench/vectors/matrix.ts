/** Rows of equal width, one after another. */
export interface Matrix {
  readonly width: number
  readonly rows: number
  readonly values: Float32Array
}

export function matrix(rows: number, width: number, values = new Float32Array(rows * width)): Matrix {
  return { rows, width, values }
}

export function rowOf({ width, values }: Matrix, at: number): Float32Array {
  return values.subarray(at * width, (at + 1) * width)
}

/** Divides each row by its length; rows of zeros stay. */
export function normalize(from: Matrix): void {
  for (let at = 0; at < from.rows; at++) {
    const row = rowOf(from, at)
    let square = 0
    for (const value of row) square += value * value
    if (square > 0) for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) / Math.sqrt(square)
  }
}
