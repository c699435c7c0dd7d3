import type { Clock } from '../../base/clock.ts'
import { type Rate, waitFor, without } from '../../base/token-bucket.ts'
import type { Deadline } from './deadline.ts'

/** Why a call got no place before its deadline. */
export type NoTurn =
  | { readonly kind: 'busy' }
  /** The operator's rate lets it go only at this time of the clock. */
  | { readonly kind: 'throttled'; readonly at: number }

interface Waiting {
  readonly grant: () => void
  isGranted: boolean
}

/**
 * Who may send next to one origin. A principal gets a place only while it holds fewer than are free, so calls that hang
 * leave places for others. Principals whose calls wait take turns, however many calls each has.
 */
export class Turns {
  readonly #clock: Clock
  readonly #rate: Rate | undefined
  #fullAt = 0
  #free: number
  readonly #held = new Map<string, number>()
  /** In the order of their next turns; none is empty. */
  readonly #queues = new Map<string, Waiting[]>()
  #timer: NodeJS.Timeout | undefined

  /**
   * @param places the most requests under way
   * @param clock one that never steps
   * @param rate the operator's rate for the origin
   */
  constructor(places: number, clock: Clock, rate?: Rate) {
    this.#free = places
    this.#clock = clock
    this.#rate = rate
  }

  /** Waits for a place, which is the caller's until `leave`; or says why there was none before the deadline. */
  async take(principal: string, deadline: Deadline): Promise<NoTurn | undefined> {
    if (this.#queues.size === 0 && this.#mayTake(principal) && this.#rateWait() === 0) {
      this.#give(principal)
      return undefined
    }
    const queue = this.#queues.get(principal) ?? []
    // Each call of this principal that waits already goes first.
    const soonest = this.#rateWait(queue.length)
    if (soonest >= deadline.remainingMs) return { kind: 'throttled', at: this.#clock.now() + soonest }
    let waiting: Waiting | undefined
    const turn = new Promise<void>((resolve) => {
      waiting = { grant: resolve, isGranted: false }
      queue.push(waiting)
    })
    this.#queues.set(principal, queue)
    this.#serve()
    try {
      await deadline.race(turn)
      return undefined
    } catch {
      if (waiting?.isGranted) this.leave(principal)
      else if (waiting) this.#giveUp(principal, waiting)
      const waitMs = this.#rateWait()
      return waitMs > 0 ? { kind: 'throttled', at: this.#clock.now() + waitMs } : { kind: 'busy' }
    }
  }

  /** Returns the principal's place. */
  leave(principal: string): void {
    const held = (this.#held.get(principal) ?? 1) - 1
    if (held === 0) this.#held.delete(principal)
    else this.#held.set(principal, held)
    this.#free++
    this.#serve()
  }

  /** Gives places to calls that wait, one principal after the other, while places and the rate permit. */
  #serve(): void {
    for (;;) {
      const next = [...this.#queues].find(([principal]) => this.#mayTake(principal))
      if (!next) return
      const waitMs = this.#rateWait()
      if (waitMs > 0) return this.#serveIn(waitMs)
      const [principal, queue] = next
      const waiting = queue.shift()
      this.#queues.delete(principal)
      if (queue.length > 0) this.#queues.set(principal, queue)
      this.#give(principal)
      if (waiting) {
        waiting.isGranted = true
        waiting.grant()
      }
    }
  }

  #serveIn(waitMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#serve()
    }, waitMs)
  }

  #mayTake(principal: string): boolean {
    return (this.#held.get(principal) ?? 0) < this.#free
  }

  #give(principal: string): void {
    this.#held.set(principal, (this.#held.get(principal) ?? 0) + 1)
    this.#free--
    if (this.#rate) this.#fullAt = without(1, this.#rate, this.#fullAt, this.#clock.now())
  }

  #giveUp(principal: string, waiting: Waiting): void {
    const queue = this.#queues.get(principal) ?? []
    const left = queue.filter((other) => other !== waiting)
    if (left.length > 0) this.#queues.set(principal, left)
    else this.#queues.delete(principal)
    if (this.#queues.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Milliseconds until the rate permits a request after so many others. */
  #rateWait(after = 0): number {
    if (!this.#rate) return 0
    const now = this.#clock.now()
    return Math.ceil(waitFor(1, this.#rate, without(after, this.#rate, this.#fullAt, now), now))
  }
}
