import type { Clock } from '../../base/clock.ts'
import { hintOf, type Answered } from './rate-hints.ts'

/** The limits that an API stated in its answers to one caller. Without any, requests are not delayed. */
export class StatedLimits {
  readonly #clock: Clock
  readonly #steady: Clock
  readonly #mostWaitMs: number
  #underWay = 0
  /** The API accepts no request before this time. */
  #closedUntil = 0
  /** The API accepts this many more requests until then. */
  #window = { left: 0, until: 0 }

  /**
   * @param clock the time of day, in which APIs state times
   * @param steady a clock that never steps
   * @param mostWaitMs the longest wait that the API can impose
   */
  constructor(clock: Clock, steady: Clock, mostWaitMs: number) {
    this.#clock = clock
    this.#steady = steady
    this.#mostWaitMs = mostWaitMs
  }

  /** Milliseconds until the API accepts a request. */
  waitMs(): number {
    const now = this.#steady.now()
    const windowEnd = this.#window.left > 0 ? 0 : this.#window.until
    return Math.ceil(Math.max(0, this.#closedUntil - now, windowEnd - now))
  }

  /** Notes that a request is sent. */
  sent(): void {
    this.#window.left--
    this.#underWay++
  }

  /** Updates the limits from the answer to a request that was sent. */
  over(answer?: Answered): void {
    this.#underWay--
    if (!answer) return
    const now = this.#steady.now()
    const { closedMs, window } = hintOf(answer, this.#clock.now(), this.#mostWaitMs)
    this.#closedUntil = Math.max(this.#closedUntil, now + (closedMs ?? 0))
    // The API may not have counted the requests in progress yet.
    if (window) this.#window = { left: window.left - this.#underWay, until: now + window.forMs }
  }
}
