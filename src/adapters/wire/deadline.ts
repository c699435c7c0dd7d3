import { setTimeout as delay } from 'node:timers/promises'

/** The end of a call: when its caller gives up or its time is over, whatever is first. */
export class Deadline {
  readonly timeoutMs: number
  readonly #outer: AbortSignal | undefined
  /** Made for those who need it: most only race, and an abort signal costs as much as all the rest. */
  #controller: AbortController | undefined
  readonly #waiting = new Set<() => void>()
  #timer: NodeJS.Timeout
  #endsAt: number
  #isOver = false
  #isCancelled = false
  readonly #stop = () => this.end()

  /** @param outer ends it early, where somebody may give up */
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

  /** Over because of the caller, not of the time? */
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

  /** The work, or a rejection as soon as the deadline comes, whether or not the work heeds it. */
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

  /** Comes so long from now, if that is later than it would. */
  extend(timeoutMs: number): void {
    const endsAt = performance.now() + timeoutMs
    if (endsAt <= this.#endsAt || this.#isOver) return
    this.#endsAt = endsAt
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#stop, timeoutMs)
  }

  /** Comes now, as if its time were over. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#controller?.abort()
    for (const stop of this.#waiting) stop()
  }

  /** Comes now, since whoever waited gave up. */
  cancel(): void {
    this.#isCancelled = true
    this.end()
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#stop)
  }
}
