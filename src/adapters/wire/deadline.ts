import { setTimeout as delay } from 'node:timers/promises'

/** The end of a call: when its caller cancels or its time is up, whichever is first. */
export class Deadline {
  readonly timeoutMs: number
  readonly #outer: AbortSignal | undefined
  /** Created on demand: most callers only race, and an abort signal costs as much as everything else together. */
  #controller: AbortController | undefined
  readonly #waiting = new Set<() => void>()
  #timer: NodeJS.Timeout
  #endsAt: number
  #isOver = false
  #isCancelled = false
  readonly #stop = () => this.end()

  /** @param outer cancels the call early */
  constructor(outer: AbortSignal | undefined, timeoutMs: number) {
    this.timeoutMs = timeoutMs
    this.#outer = outer
    this.#endsAt = performance.now() + timeoutMs
    this.#timer = setTimeout(this.#stop, timeoutMs)
    if (outer?.aborted) this.end()
    else outer?.addEventListener('abort', this.#stop)
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#isOver) this.#controller.abort()
    return this.#controller.signal
  }

  /** Ended by the caller, rather than by time? */
  get cancelled(): boolean {
    return this.#isCancelled || this.#outer?.aborted === true
  }

  get over(): boolean {
    return this.#isOver
  }

  get remainingMs(): number {
    return this.#endsAt - performance.now()
  }

  /** Waits; false if the deadline came first. */
  async pause(milliseconds: number): Promise<boolean> {
    return delay(milliseconds, true, { signal: this.signal }).catch(() => false)
  }

  /** The work, or a rejection as soon as the deadline passes, whether or not the work reacts to it. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(this.signal.reason)
      if (this.#isOver) stop()
      this.#waiting.add(stop)
      work.then(
        (value) => {
          this.#waiting.delete(stop)
          resolve(value)
        },
        (error: unknown) => {
          this.#waiting.delete(stop)
          reject(error)
        },
      )
    })
  }

  /** Extends the deadline to this long from now; never shortens it. */
  extend(timeoutMs: number): void {
    const endsAt = performance.now() + timeoutMs
    if (endsAt <= this.#endsAt || this.#isOver) return
    this.#endsAt = endsAt
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#stop, timeoutMs)
  }

  /** Ends now, as if its time were up. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#controller?.abort()
    for (const stop of this.#waiting) stop()
  }

  /** Ends now, since the caller cancelled. */
  cancel(): void {
    this.#isCancelled = true
    this.end()
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#stop)
  }
}
