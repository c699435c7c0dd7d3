import type { Clock } from '../../base/clock.ts'

/** When an origin is left alone, and for how long. */
export interface BreakerLimits {
  /** So many failures in a row, with no success between them … */
  readonly failures: number
  /** … within this time. */
  readonly windowMs: number
  /** Until the first probe; twice as long after each probe that fails … */
  readonly firstRestMs: number
  /** … up to this. */
  readonly mostRestMs: number
}

/** Ten in a row are no accident; a minute is the longest that an API that is back again waits for us. */
export const BREAKER_LIMITS: BreakerLimits = {
  failures: 10,
  windowMs: 60_000,
  firstRestMs: 5_000,
  mostRestMs: 60_000,
}

/** What a request says about the health of its origin; `neither` where it says nothing. */
export type Health = 'good' | 'bad' | 'neither'

/** Since when an origin is left alone, and when it is tried again: not known while a probe is under way. */
export interface Refusal {
  readonly since: number
  readonly tryAt?: number
}

/** Leave to send one request; its holder tells once how that went. */
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
 * succeeds. What was under way when it last changed has no say any more.
 */
export class Breaker {
  readonly #clock: Clock
  readonly #limits: BreakerLimits
  #state: State = { kind: 'closed', failedAt: [] }
  /** Counts the changes between the three states. */
  #epoch = 0

  constructor(clock: Clock, limits: BreakerLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Why nothing may be sent now, if so. Takes nothing. */
  refusal(): Refusal | undefined {
    const state = this.#state
    if (state.kind === 'closed') return undefined
    if (state.kind === 'probing') return { since: state.since }
    return this.#clock.now() < state.tryAt ? { since: state.since, tryAt: state.tryAt } : undefined
  }

  /** Leave to send one request, or why not. */
  enter(): Pass | Refusal {
    const refused = this.refusal()
    if (refused) return refused
    if (this.#state.kind === 'open') {
      const { since, restMs } = this.#state
      this.#become({ kind: 'probing', since, restMs })
    }
    const epoch = this.#epoch
    let told = false
    const tell = (health: Health) => {
      if (!told && epoch === this.#epoch) this.#hear(health)
      told = true
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
    // A probe that was given up tells nothing: the next call may probe at once.
    if (health === 'neither') return this.#become({ kind: 'open', since, tryAt: now, restMs })
    const longer = Math.min(restMs * 2, this.#limits.mostRestMs)
    this.#become({ kind: 'open', since, tryAt: now + longer, restMs: longer })
  }

  #become(state: State): void {
    this.#state = state
    this.#epoch++
  }
}
