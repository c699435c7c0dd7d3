import { JobThread } from '../../threads/job-thread.ts'

/** After so many bytes of changes the log is copied into the file. */
const BYTES = 4 * 1024 * 1024
const LIMITS = { timeoutMs: 60_000, heapMb: 64 }

/**
 * Copies the log of a file into the file from time to time, in a thread: it takes tens of milliseconds, in which a commit that did
 * it would block the process. Writes go on meanwhile. Where the thread fails or lags behind, commits do it (see `LONGEST_LOG`).
 */
export class Checkpoints {
  readonly #file: string
  readonly #thread = new JobThread<string, never>(new URL('./checkpoint-worker.js', import.meta.url), LIMITS)
  #copied = 0
  #underWay: Promise<void> | undefined

  constructor(file: string) {
    this.#file = file
  }

  /** The copying that is under way. Large writes wait for it: only a log that is copied as a whole begins anew. */
  get underWay(): Promise<void> | undefined {
    return this.#underWay
  }

  /** To call after each commit, with the bytes of all changes since the file was opened. */
  committed(written: number): void {
    if (this.#underWay || written - this.#copied < BYTES) return
    this.#copied = written
    this.#underWay = this.#thread
      .run(this.#file, () => undefined)
      .then(() => void (this.#underWay = undefined))
  }

  /** Ends the thread after its work. */
  shutDown(): Promise<void> {
    return this.#thread.shutDown()
  }
}
