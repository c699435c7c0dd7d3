import type { Clock } from '../../base/clock.ts'
import { hintOf, type Answered } from './rate-hints.ts'

/** A token bucket: `burst` requests at once (1 at least), and `perSecond` more in each second (above 0). */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/**
 * How often an origin may be asked: by the operator's rate, where there is one, and by what the API itself says in its
 * answers. Nothing is held back until one of them speaks.
 */
export class RateLimit {
  readonly #clock: Clock
  readonly #rate: Rate | undefined
  /** When the bucket is full again: one number says all of it, and no rounding adds up. */
  #fullAt = 0
  #underWay = 0
  /** The API wants no request before this time. */
  #closedUntil = 0
  /** The API takes so many more requests until then. */
  #window = { left: 0, until: 0 }

  constructor(clock: Clock, rate?: Rate) {
    this.#clock = clock
    this.#rate = rate
  }

  /** Takes leave for one request and gives 0; or takes nothing and gives the milliseconds after which to ask again. */
  take(): number {
    const now = this.#clock.now()
    const waitMs = Math.max(this.#closedUntil - now, this.#windowWait(now), this.#bucketWait(now))
    if (waitMs > 0) return Math.ceil(waitMs)
    if (this.#rate) this.#fullAt = Math.max(this.#fullAt, now) + 1000 / this.#rate.perSecond
    this.#window.left--
    this.#underWay++
    return 0
  }

  /** A request for which leave was taken is over, with the answer that came. */
  over(answer?: Answered): void {
    this.#underWay--
    if (!answer) return
    const { closedUntil, window } = hintOf(answer, this.#clock.now())
    this.#closedUntil = Math.max(this.#closedUntil, closedUntil ?? 0)
    // The API has perhaps not yet counted what is under way.
    if (window) this.#window = { ...window, left: window.left - this.#underWay }
  }

  /** Until one token of the burst is there: then all but one may still be missing. */
  #bucketWait(now: number): number {
    if (!this.#rate) return 0
    const { perSecond, burst } = this.#rate
    return this.#fullAt - now - ((burst - 1) * 1000) / perSecond
  }

  #windowWait(now: number): number {
    return this.#window.left > 0 ? 0 : this.#window.until - now
  }
}
