/**
 * Rings after so many milliseconds, and after whatever else was due by then in this process: where a busy machine holds up
 * the process, what is in time stays in time.
 */
export class Alarm {
  hasRung = false
  readonly #timer: NodeJS.Timeout

  constructor(ms: number) {
    const ring = () => void (this.hasRung = true)
    // What arrived meanwhile is read, and what follows from it is done, before the second turn ends.
    this.#timer = setTimeout(() => setImmediate(() => setImmediate(ring)), ms)
  }

  /** Says whether it was silent until now, and never rings again. */
  off(): boolean {
    clearTimeout(this.#timer)
    return !this.hasRung
  }
}
