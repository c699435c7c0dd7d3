import type { ServedCatalog } from '../../catalog/model.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Rate } from '../../base/token-bucket.ts'
import { Breaker, BREAKER_LIMITS, type Health, type Refusal } from './breaker.ts'
import type { Deadline } from './deadline.ts'
import { interrupted, type Attempt } from './exchange.ts'
import { wireProblem, type WireProblem } from './problems.ts'
import { RateLimit } from './rate.ts'

/** Failures on our side of the connection. */
const OURS = new Set(['call_cancelled', 'private_address', 'invalid_request'])

/** A timeout shorter than this shows nothing about the API's health. */
const FAIR_MS = 1000

/** A request that was not admitted when its turn came, or only to the API as another catalog describes it. */
export interface Withheld {
  readonly kind: 'withheld'
  readonly admitted: Result<ServedCatalog>
}

/** The state that all calls to one origin share: its circuit breaker and its rate limit. */
export class Origin {
  readonly #name: string
  readonly #clock: Clock
  readonly #breaker: Breaker
  readonly #rate: RateLimit

  constructor(name: string, clock: Clock, rate?: Rate) {
    this.#name = name
    this.#clock = clock
    this.#breaker = new Breaker(clock, BREAKER_LIMITS)
    this.#rate = new RateLimit(clock, rate)
  }

  /** Why nothing may be sent there now, if so. */
  refusal(): WireProblem | undefined {
    const refused = this.#breaker.refusal()
    return refused && this.#resting(refused)
  }

  /**
   * Sends one request as soon as the rate limit permits.
   *
   * @param exchange sends it, or withholds it
   * @returns its outcome; or, if nothing was sent, the problem: `origin_resting`, `throttled` if the deadline is earlier
   * than its turn, `call_cancelled` or `timed_out`
   */
  async send(
    deadline: Deadline,
    exchange: () => Promise<Attempt | Withheld>,
  ): Promise<Result<Attempt | Withheld, WireProblem>> {
    const held = await this.#turn(deadline)
    if (held) return failed([held])
    const pass = this.#breaker.enter()
    if (!('tell' in pass)) {
      this.#rate.over()
      return failed([this.#resting(pass)])
    }
    const began = this.#clock.now()
    let attempt: Attempt | undefined
    try {
      const sent = await exchange()
      if (sent.kind !== 'withheld') attempt = sent
      return ok(sent)
    } finally {
      this.#rate.over(attempt?.kind === 'reply' ? attempt : undefined)
      pass.tell(attempt ? healthOf(attempt, this.#clock.now() - began) : 'neither')
    }
  }

  /** Waits for a permit of the rate limit. */
  async #turn(deadline: Deadline): Promise<WireProblem | undefined> {
    for (;;) {
      const refused = this.refusal()
      if (refused) return refused
      const waitMs = this.#rate.take()
      if (waitMs === 0) return undefined
      if (waitMs >= deadline.remainingMs) {
        return wireProblem('throttled', { origin: this.#name, at: this.#clock.now() + waitMs })
      }
      if (!(await deadline.pause(waitMs))) return interrupted(this.#name, deadline)
    }
  }

  #resting({ since, tryAt }: Refusal): WireProblem {
    return wireProblem('origin_resting', { origin: this.#name, since, at: tryAt })
  }
}

/** What a request shows about its origin's health: bad are requests without a response, and responses of 5xx. */
export function healthOf(attempt: Attempt, tookMs: number): Health {
  if ((attempt.status ?? 0) >= 500) return 'bad'
  if (attempt.kind === 'reply') return 'good'
  const { code } = attempt.problem
  if (OURS.has(code) || (code === 'timed_out' && tookMs < FAIR_MS)) return 'neither'
  return attempt.sent === 'yes' ? 'good' : 'bad'
}
