import type { Clock } from '../../base/clock.ts'
import { hintOf, type Answered } from './rate-hints.ts'

/** A token bucket: `burst` requests at once (at least 1), and `perSecond` more in each second (above 0). */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/**
 * The rate limit of an origin: the operator's rate, if configured, and the limits that the API states in its responses.
 * Without either, requests are not delayed.
 */
export class RateLimit {
  readonly #clock: Clock
  readonly #rate: Rate | undefined
  /** When the bucket is full again: one number is the whole state, so rounding errors do not accumulate. */
  #fullAt = 0
  #underWay = 0
  /** The API accepts no request before this time. */
  #closedUntil = 0
  /** The API accepts this many more requests until then. */
  #window = { left: 0, until: 0 }

  constructor(clock: Clock, rate?: Rate) {
    this.#clock = clock
    this.#rate = rate
  }

  /** Acquires a permit for one request and returns 0; or acquires nothing and returns the milliseconds to wait. */
  take(): number {
    const now = this.#clock.now()
    const waitMs = Math.max(this.#closedUntil - now, this.#windowWait(now), this.#bucketWait(now))
    if (waitMs > 0) return Math.ceil(waitMs)
    if (this.#rate) this.#fullAt = Math.max(this.#fullAt, now) + 1000 / this.#rate.perSecond
    this.#window.left--
    this.#underWay++
    return 0
  }

  /** Updates the limits from the response to a permitted request. */
  over(answer?: Answered): void {
    this.#underWay--
    if (!answer) return
    const { closedUntil, window } = hintOf(answer, this.#clock.now())
    this.#closedUntil = Math.max(this.#closedUntil, closedUntil ?? 0)
    // The API may not have counted the requests in progress yet.
    if (window) this.#window = { ...window, left: window.left - this.#underWay }
  }

  /** When one token is available: all but one may still be missing. */
  #bucketWait(now: number): number {
    if (!this.#rate) return 0
    const { perSecond, burst } = this.#rate
    return this.#fullAt - now - ((burst - 1) * 1000) / perSecond
  }

  #windowWait(now: number): number {
    return this.#window.left > 0 ? 0 : this.#window.until - now
  }
}
