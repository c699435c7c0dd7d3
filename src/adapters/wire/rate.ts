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
  #tokens: number
  #filledAt: number
  #underWay = 0
  /** The API wants no request before this time. */
  #closedUntil = 0
  /** The API takes so many more requests until then. */
  #window = { left: 0, until: 0 }

  constructor(clock: Clock, rate?: Rate) {
    this.#clock = clock
    this.#rate = rate
    this.#tokens = rate?.burst ?? 0
    this.#filledAt = clock.now()
  }

  /** Takes leave for one request and gives 0; or takes nothing and gives the milliseconds after which to ask again. */
  take(): number {
    const now = this.#clock.now()
    this.#fill(now)
    const waitMs = Math.max(this.#closedUntil - now, this.#windowWait(now), this.#tokenWait())
    if (waitMs > 0) return Math.ceil(waitMs)
    this.#tokens--
    this.#window.left--
    this.#underWay++
    return 0
  }

  /** A request for which leave was taken is over, with the answer that came. */
  over(answer?: Answered): void {
    this.#underWay--
    if (!answer) return
    const now = this.#clock.now()
    const { closedUntil, window } = hintOf(answer, now)
    this.#closedUntil = Math.max(this.#closedUntil, closedUntil ?? 0)
    // The API has perhaps not yet counted what is under way.
    if (window) this.#window = { ...window, left: window.left - this.#underWay }
  }

  #fill(now: number): void {
    if (!this.#rate) return
    const seconds = Math.max(0, now - this.#filledAt) / 1000
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + seconds * this.#rate.perSecond)
    this.#filledAt = now
  }

  #tokenWait(): number {
    return this.#rate ? ((1 - this.#tokens) / this.#rate.perSecond) * 1000 : 0
  }

  #windowWait(now: number): number {
    return this.#window.left > 0 ? 0 : this.#window.until - now
  }
}
