import type { ServedCatalog } from '../../catalog/model.ts'
import type { Wire, WireCall } from '../../execution/wire.ts'
import { Deadline } from './deadline.ts'
import { interrupted } from './exchange.ts'

type Sent = Awaited<ReturnType<Wire['send']>>
type Limits = Parameters<Wire['send']>[1]

/**
 * Reads under way. Equal ones of one principal share one request and its answer; each caller keeps a deadline of its own,
 * and the request goes on for as long as one of them waits.
 */
export class Flights {
  /** By catalog itself: two of one name may carry different credentials. */
  #underWay = new WeakMap<ServedCatalog, Map<string, Flight>>()
  readonly #isShared: boolean
  readonly #runs = new WeakMap<AbortSignal, number>()
  #lastRun = 0

  /**
   * @param isShared other processes send changes for the same principals, and `seal` does not learn of those: only reads of
   *   one run (of one signal) are shared then
   */
  constructor(isShared = false) {
    this.#isShared = isShared
  }

  /** Sends the call, or waits for the equal one that is under way. */
  async send(
    call: WireCall,
    limits: Limits,
    origin: string,
    send: (deadline: Deadline) => Promise<Sent>,
  ): Promise<Sent> {
    const deadline = new Deadline(limits.signal, limits.timeoutMs)
    try {
      const key = keyOf(call, limits.maxBytes)
      if (key === undefined || deadline.over) return await send(deadline)
      const own = this.#isShared ? `${this.#runOf(limits.signal)} ${key}` : key
      const flight = this.#board(call.catalog, own, limits.timeoutMs, send)
      return await flight.landing(deadline, origin)
    } finally {
      deadline.dispose()
    }
  }

  /** From now on nothing is shared with what is under way: a read after a write must see that write. */
  seal(): void {
    this.#underWay = new WeakMap()
  }

  #runOf(signal: AbortSignal): number {
    const run = this.#runs.get(signal) ?? ++this.#lastRun
    this.#runs.set(signal, run)
    return run
  }

  #board(
    catalog: ServedCatalog,
    key: string,
    timeoutMs: number,
    send: (deadline: Deadline) => Promise<Sent>,
  ): Flight {
    const flights = this.#underWay.get(catalog) ?? new Map<string, Flight>()
    this.#underWay.set(catalog, flights)
    let flight = flights.get(key)
    if (flight) {
      flight.board(timeoutMs)
      return flight
    }
    flight = new Flight(timeoutMs, send, (ended) => {
      if (flights.get(key) === ended) flights.delete(key)
    })
    flights.set(key, flight)
    return flight
  }
}

/** One request and those who wait for it. */
class Flight {
  readonly #deadline: Deadline
  readonly #answer: Promise<Sent>
  readonly #close: () => void
  #aboard = 1

  constructor(
    timeoutMs: number,
    send: (deadline: Deadline) => Promise<Sent>,
    ended: (flight: Flight) => void,
  ) {
    this.#close = () => ended(this)
    this.#deadline = new Deadline(undefined, timeoutMs)
    this.#answer = send(this.#deadline).finally(() => {
      this.#deadline.dispose()
      this.#close()
    })
  }

  /** One more waits, for so long. */
  board(timeoutMs: number): void {
    this.#aboard++
    this.#deadline.extend(timeoutMs)
  }

  /** The answer, or the end of this caller's own deadline; the last to leave ends the request. */
  async landing(own: Deadline, origin: string): Promise<Sent> {
    try {
      return await own.race(this.#answer)
    } catch (error) {
      if (!own.over) throw error
    }
    const problem = interrupted(origin, own)
    if (--this.#aboard > 0) return { ok: false, failure: { problem, sent: 'unknown', requests: 0 } }
    this.#close()
    // Silence until the end is the API's fault, to be giving up is not: the request tells them apart.
    if (own.cancelled) this.#deadline.cancel()
    else this.#deadline.end()
    const answer = await this.#answer
    return answer.ok ? answer : { ok: false, failure: { ...answer.failure, problem } }
  }
}

/** What makes two calls one; nothing for calls that are not to be shared. */
function keyOf(call: WireCall, maxBytes: number): string | undefined {
  const { principal, repeatable, method, target, query, headers, body } = call
  if (principal === undefined || !repeatable) return undefined
  return JSON.stringify([principal, method, target, query, headers, body, maxBytes])
}
