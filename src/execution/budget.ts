/** The limits of one run. Reading stops at the first limit that is reached; the rows so far are kept and marked partial. */
export interface Budget {
  readonly calls: number
  /** Rows decoded, over all reads. */
  readonly rows: number
  /** Bytes of answers, decompressed, over all calls. */
  readonly bytes: number
  readonly milliseconds: number
  /** Bytes of one answer. */
  readonly answerBytes: number
  readonly callMilliseconds: number
  /** Writes and side effects. */
  readonly effects: number
  /** Concurrent calls to one catalog. */
  readonly concurrency: number
}

export const DEFAULT_BUDGET: Budget = {
  calls: 200,
  rows: 10_000,
  bytes: 64 * 1024 * 1024,
  milliseconds: 120_000,
  answerBytes: 8 * 1024 * 1024,
  callMilliseconds: 30_000,
  effects: 100,
  concurrency: 5,
}
