import type { Clock } from '../../base/clock.ts'

/** The first pause, and the longest, in ms. One failure alone causes none. */
const FIRST = 1000
const LONGEST = 60_000

/** So many failing servers are remembered before those of long ago are forgotten. */
const MANY = 1000

/** Pauses between attempts to reach what fails, by key: twice as long after each further failure. */
export class Backoff {
  readonly #clock: Clock
  readonly #failures = new Map<string, { readonly count: number; readonly until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** For how many seconds it is left alone; 0: it may be tried. */
  waitOf(key: string): number {
    const until = this.#failures.get(key)?.until ?? 0
    return Math.max(0, Math.ceil((until - this.#clock.now()) / 1000))
  }

  failed(key: string): void {
    if (this.#failures.size >= MANY) this.#forget()
    const count = (this.#failures.get(key)?.count ?? 0) + 1
    const pause = count < 2 ? 0 : Math.min(LONGEST, FIRST * 2 ** (count - 2))
    this.#failures.set(key, { count, until: this.#clock.now() + pause })
  }

  worked(key: string): void {
    this.#failures.delete(key)
  }

  #forget(): void {
    const past = this.#clock.now() - LONGEST
    for (const [key, { until }] of this.#failures) if (until < past) this.#failures.delete(key)
  }
}
