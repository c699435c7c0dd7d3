import { LRUCache } from 'lru-cache'
import type { ServedCatalog } from '../../catalog/model.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Rate } from '../../base/token-bucket.ts'
import { Breaker, BREAKER_LIMITS, type Health, type Refusal } from './breaker.ts'
import type { Deadline } from './deadline.ts'
import { interrupted, type Attempt } from './exchange.ts'
import { wireProblem, type WireProblem } from './problems.ts'
import { StatedLimits } from './stated-limits.ts'
import { Turns } from './turns.ts'

/** Failures on our side of the connection. */
const OURS = new Set(['call_cancelled', 'private_address', 'invalid_request'])

/** A timeout shorter than this shows nothing about the API's health. */
const FAIR_MS = 1000

/** A request that was not admitted when its turn came, or only to the API as another catalog describes it. */
export interface Withheld {
  readonly kind: 'withheld'
  readonly admitted: Result<ServedCatalog>
}

/** What an origin knows of time, its places and its limits. */
export interface OriginOptions {
  /** The time of day, in which APIs and messages state times. */
  readonly clock: Clock
  /** A clock that never steps. */
  readonly steady: Clock
  /** The most requests under way. */
  readonly places: number
  /** The operator's rate; absent: no limit of ours. */
  readonly rate?: Rate | undefined
  /** The longest wait that the API can impose on a caller. */
  readonly mostWaitMs: number
}

/** What the API showed to one principal: its failures and limits may concern what that principal asks for, and no other. */
interface Experience {
  readonly breaker: Breaker
  readonly limits: StatedLimits
}

/** Principals whose experience is kept; the others start anew. */
const MAX_PRINCIPALS = 1000

/**
 * The state of calls to one origin. Shared by all: its places, the operator's rate, and whether it can be reached. Of each
 * principal: a circuit breaker for failed answers, and the limits that the API stated to it.
 */
export class Origin {
  readonly #name: string
  readonly #options: OriginOptions
  readonly #turns: Turns
  readonly #reach: Breaker
  readonly #experiences = new LRUCache<string, Experience>({ max: MAX_PRINCIPALS })

  constructor(name: string, options: OriginOptions) {
    this.#name = name
    this.#options = options
    this.#turns = new Turns(options.places, options.steady, options.rate)
    this.#reach = new Breaker(options.steady, BREAKER_LIMITS)
  }

  /** Why the principal may send nothing there now, if so. */
  refusal(principal: string): WireProblem | undefined {
    const refused = this.#reach.refusal() ?? this.#experienceOf(principal).breaker.refusal()
    return refused && this.#resting(refused)
  }

  /**
   * Sends one request as soon as there is a place and all limits permit.
   *
   * @param exchange sends it, or withholds it
   * @returns its outcome; or, if nothing was sent, the problem: `origin_resting`, `origin_busy`, `throttled` if the
   * deadline is earlier than its turn, `call_cancelled` or `timed_out`
   */
  async send(
    principal: string,
    deadline: Deadline,
    exchange: () => Promise<Attempt | Withheld>,
  ): Promise<Result<Attempt | Withheld, WireProblem>> {
    const held = await this.#turn(principal, deadline)
    if (held) return failed([held])
    try {
      return await this.#sendNow(this.#experienceOf(principal), exchange)
    } finally {
      this.#turns.leave(principal)
    }
  }

  async #sendNow(
    { breaker, limits }: Experience,
    exchange: () => Promise<Attempt | Withheld>,
  ): Promise<Result<Attempt | Withheld, WireProblem>> {
    const reach = this.#reach.enter()
    if (!('tell' in reach)) return failed([this.#resting(reach)])
    const own = breaker.enter()
    if (!('tell' in own)) {
      reach.tell('neither')
      return failed([this.#resting(own)])
    }
    limits.sent()
    const { steady } = this.#options
    const began = steady.now()
    let attempt: Attempt | undefined
    try {
      const sent = await exchange()
      if (sent.kind !== 'withheld') attempt = sent
      return ok(sent)
    } finally {
      limits.over(attempt?.kind === 'reply' ? attempt : undefined)
      const health = attempt ? healthOf(attempt, steady.now() - began) : 'neither'
      const isReached = attempt !== undefined && (attempt.kind === 'reply' || attempt.sent !== 'no')
      reach.tell(isReached ? 'good' : health)
      own.tell(isReached ? health : 'neither')
    }
  }

  /** Waits for a place, within the limits that the API stated to the principal. */
  async #turn(principal: string, deadline: Deadline): Promise<WireProblem | undefined> {
    const { limits } = this.#experienceOf(principal)
    for (;;) {
      const refused = this.refusal(principal)
      if (refused) return refused
      const waitMs = limits.waitMs()
      if (waitMs >= deadline.remainingMs && waitMs > 0) return this.#throttled(waitMs)
      if (waitMs > 0) {
        if (!(await deadline.pause(waitMs))) return interrupted(this.#name, deadline)
        continue
      }
      const none = await this.#turns.take(principal, deadline)
      if (none && deadline.cancelled) return interrupted(this.#name, deadline)
      if (none?.kind === 'throttled') return this.#throttled(none.at - this.#options.steady.now())
      if (none) return wireProblem('origin_busy', { origin: this.#name })
      if (limits.waitMs() === 0 && !this.refusal(principal)) return undefined
      // An answer that came meanwhile said otherwise.
      this.#turns.leave(principal)
    }
  }

  #experienceOf(principal: string): Experience {
    let experience = this.#experiences.get(principal)
    if (!experience) {
      const { clock, steady, mostWaitMs } = this.#options
      experience = {
        breaker: new Breaker(steady, BREAKER_LIMITS),
        limits: new StatedLimits(clock, steady, mostWaitMs),
      }
      this.#experiences.set(principal, experience)
    }
    return experience
  }

  #throttled(waitMs: number): WireProblem {
    return wireProblem('throttled', { origin: this.#name, at: this.#options.clock.now() + waitMs })
  }

  #resting({ since, tryAt }: Refusal): WireProblem {
    const { clock, steady } = this.#options
    // In the time of day, as the clock has it now.
    const timeOf = (at: number) => clock.now() + at - steady.now()
    return wireProblem('origin_resting', {
      origin: this.#name,
      since: timeOf(since),
      at: tryAt === undefined ? undefined : timeOf(tryAt),
    })
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
