import type { Clock } from '../../base/clock.ts'
import { type Rate, waitFor, without } from '../../base/token-bucket.ts'
import { hintOf, type Answered } from './rate-hints.ts'

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
    if (this.#rate) this.#fullAt = without(1, this.#rate, this.#fullAt, now)
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

  #bucketWait(now: number): number {
    return this.#rate ? waitFor(1, this.#rate, this.#fullAt, now) : 0
  }

  #windowWait(now: number): number {
    return this.#window.left > 0 ? 0 : this.#window.until - now
  }
}
