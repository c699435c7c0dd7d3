import { setTimeout as delay } from 'node:timers/promises'

/** The end of a call: when its caller gives up or its time is over, whatever is first. */
export class Deadline {
  readonly timeoutMs: number
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal
  #timer: NodeJS.Timeout
  #endsAt: number
  readonly #stop = () => this.#controller.abort()

  constructor(outer: AbortSignal, timeoutMs: number) {
    this.timeoutMs = timeoutMs
    this.#outer = outer
    this.#endsAt = performance.now() + timeoutMs
    this.#timer = setTimeout(this.#stop, timeoutMs)
    if (outer.aborted) this.#stop()
    else outer.addEventListener('abort', this.#stop)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Over because of the caller, not of the time? */
  get cancelled(): boolean {
    return this.#outer.aborted
  }

  get over(): boolean {
    return this.signal.aborted
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
      this.signal.addEventListener('abort', stop)
      if (this.over) stop()
      void work.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', stop))
    })
  }

  /** Comes so long from now, if that is later than it would. */
  extend(timeoutMs: number): void {
    const endsAt = performance.now() + timeoutMs
    if (endsAt <= this.#endsAt || this.over) return
    this.#endsAt = endsAt
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#stop, timeoutMs)
  }

  /** Comes now, as if its time were over. */
  end(): void {
    this.#stop()
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#outer.removeEventListener('abort', this.#stop)
  }
}
