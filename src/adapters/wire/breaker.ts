import type { Clock } from '../../base/clock.ts'

/** When the circuit of an origin opens, and for how long. */
export interface BreakerLimits {
  /** This many failures in a row, with no success between them … */
  readonly failures: number
  /** … within this time. */
  readonly windowMs: number
  /** The delay before the first probe; doubled after each failed probe … */
  readonly firstRestMs: number
  /** … up to this. */
  readonly mostRestMs: number
}

/** Ten failures in a row are no coincidence; after a recovery, an API waits at most a minute for the next probe. */
export const BREAKER_LIMITS: BreakerLimits = {
  failures: 10,
  windowMs: 60_000,
  firstRestMs: 5_000,
  mostRestMs: 60_000,
}

/** What a request shows about the health of its origin; `neither` if it shows nothing. */
export type Health = 'good' | 'bad' | 'neither'

/** Since when the circuit is open, and when the next probe is due: unknown while a probe is in progress. */
export interface Refusal {
  readonly since: number
  readonly tryAt?: number
}

/** A permit to send one request; its holder reports the outcome once. */
export interface Pass {
  readonly tell: (health: Health) => void
}

type State =
  /** With the times of the latest failures in a row. */
  | { readonly kind: 'closed'; readonly failedAt: readonly number[] }
  | { readonly kind: 'open'; readonly since: number; readonly tryAt: number; readonly restMs: number }
  | { readonly kind: 'probing'; readonly since: number; readonly restMs: number }

/**
 * A circuit breaker: opens after many failures in a row, then lets one probe at a time through, and closes when a probe
 * succeeds. Requests that were in progress at its last change no longer affect it.
 */
export class Breaker {
  readonly #clock: Clock
  readonly #limits: BreakerLimits
  #state: State = { kind: 'closed', failedAt: [] }
  /** Counts state changes. */
  #epoch = 0

  constructor(clock: Clock, limits: BreakerLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Why nothing may be sent now, if so. Acquires nothing. */
  refusal(): Refusal | undefined {
    const state = this.#state
    if (state.kind === 'closed') return undefined
    if (state.kind === 'probing') return { since: state.since }
    return this.#clock.now() < state.tryAt ? { since: state.since, tryAt: state.tryAt } : undefined
  }

  /** Acquires a permit to send one request, or says why not. */
  enter(): Pass | Refusal {
    const refused = this.refusal()
    if (refused) return refused
    if (this.#state.kind === 'open') {
      const { since, restMs } = this.#state
      this.#become({ kind: 'probing', since, restMs })
    }
    const epoch = this.#epoch
    let isReported = false
    const tell = (health: Health) => {
      if (!isReported && epoch === this.#epoch) this.#hear(health)
      isReported = true
    }
    return { tell }
  }

  #hear(health: Health): void {
    if (this.#state.kind === 'probing') this.#probed(health, this.#state.since, this.#state.restMs)
    else if (health === 'good') this.#state = { kind: 'closed', failedAt: [] }
    else if (health === 'bad') this.#failed()
  }

  #failed(): void {
    const now = this.#clock.now()
    const { failures, windowMs, firstRestMs } = this.#limits
    const earlier = this.#state.kind === 'closed' ? this.#state.failedAt : []
    const failedAt = [...earlier.filter((at) => now - at < windowMs), now]
    if (failedAt.length < failures) this.#state = { kind: 'closed', failedAt }
    else this.#become({ kind: 'open', since: now, tryAt: now + firstRestMs, restMs: firstRestMs })
  }

  #probed(health: Health, since: number, restMs: number): void {
    const now = this.#clock.now()
    if (health === 'good') return this.#become({ kind: 'closed', failedAt: [] })
    // A cancelled probe shows nothing: the next call may probe at once.
    if (health === 'neither') return this.#become({ kind: 'open', since, tryAt: now, restMs })
    const longer = Math.min(restMs * 2, this.#limits.mostRestMs)
    this.#become({ kind: 'open', since, tryAt: now + longer, restMs: longer })
  }

  #become(state: State): void {
    this.#state = state
    this.#epoch++
  }
}
