import { type Rate, tokensIn, waitFor, without } from '../../../base/token-bucket.ts'

/** What a caller learns about its rate with every answer. */
export interface Standing {
  /** The header fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). */
  readonly headers: Readonly<Record<string, string>>
  /** If the requests are refused: the seconds after which they, or as many as the bucket holds, are not. */
  readonly retryAfterSeconds?: number
}

/** The number of buckets from which on full ones are removed. */
const FIRST_SWEEP = 1000

/**
 * How often each principal may call this process: all anonymous callers are one principal. A refused request takes nothing.
 */
export class RequestRates {
  readonly #rate: Rate
  readonly #now: () => number
  readonly #fullAt = new Map<string, number>()
  readonly #policy: string
  #sweepAt = FIRST_SWEEP

  /** @param now milliseconds of a clock that never steps */
  constructor(rate: Rate, now: () => number) {
    this.#rate = rate
    this.#now = now
    this.#policy = `"principal";q=${rate.burst};w=${secondsOf((rate.burst * 1000) / rate.perSecond)}`
  }

  /** Counts so many requests of the principal, or refuses them. */
  count(principal: readonly string[], requests: number): Standing {
    const name = JSON.stringify(principal)
    const now = this.#now()
    const before = this.#fullAt.get(name) ?? now
    const waitMs = waitFor(requests, this.#rate, before, now)
    const isRefused = waitMs > 0 || requests > this.#rate.burst
    const after = isRefused ? before : without(requests, this.#rate, before, now)
    if (!isRefused) this.#keep(name, after, now)
    const left = Math.max(0, Math.floor(tokensIn(this.#rate, after, now)))
    return {
      headers: {
        'ratelimit-policy': this.#policy,
        ratelimit: `"principal";r=${left};t=${secondsOf(after - now)}`,
      },
      ...(isRefused && { retryAfterSeconds: Math.max(1, secondsOf(waitMs)) }),
    }
  }

  #keep(name: string, fullAt: number, now: number): void {
    this.#fullAt.set(name, fullAt)
    if (this.#fullAt.size < this.#sweepAt) return
    for (const [other, at] of this.#fullAt) if (at <= now) this.#fullAt.delete(other)
    this.#sweepAt = Math.max(FIRST_SWEEP, this.#fullAt.size * 2)
  }
}

/** Whole seconds: a caller who waits for them is not early. */
function secondsOf(milliseconds: number): number {
  return Math.max(0, Math.ceil(milliseconds / 1000))
}
