import { jsonText } from '../../base/json.ts'
import type { ServedCatalog } from '../../catalog/model.ts'
import type { Wire, WireCall } from '../../execution/wire.ts'
import { Deadline } from './deadline.ts'
import { interrupted } from './exchange.ts'

type Sent = Awaited<ReturnType<Wire['send']>>
type Limits = Parameters<Wire['send']>[1]

/**
 * Reads in progress. Equal reads of one principal share one request and its response; each caller keeps its own
 * deadline, and the request continues while at least one of them waits.
 */
export class Flights {
  /** By catalog object: two catalogs with one id may have different credentials. */
  #underWay = new WeakMap<ServedCatalog, Map<string, Flight>>()
  readonly #isShared: boolean
  readonly #runs = new WeakMap<AbortSignal, number>()
  #lastRun = 0

  /**
   * @param isShared other processes may change data of the same principals, unseen by `seal`: then only reads of one run
   *   (with one signal) are shared
   */
  constructor(isShared = false) {
    this.#isShared = isShared
  }

  /** Sends the call, or joins the equal one in progress. */
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
      const joined = this.#underWay.get(call.catalog)?.get(own)
      const flight = this.#board(call.catalog, own, limits.timeoutMs, send)
      const answer = await flight.landing(deadline, origin)
      // Another caller's rights ended, not this one's.
      const isOthers = joined === flight && !answer.ok && answer.failure.isRefused === true
      return isOthers ? await this.send(call, limits, origin, send) : answer
    } finally {
      deadline.dispose()
    }
  }

  /** Stops sharing the reads in progress: a read after a write must see that write. */
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

/** One request and its waiting callers. */
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

  /** Adds a caller with its timeout. */
  board(timeoutMs: number): void {
    this.#aboard++
    this.#deadline.extend(timeoutMs)
  }

  /** The response, or the end of this caller's own deadline; the last caller to leave ends the request. */
  async landing(own: Deadline, origin: string): Promise<Sent> {
    try {
      return await own.race(this.#answer)
    } catch (error) {
      if (!own.over) throw error
    }
    const problem = interrupted(origin, own)
    if (--this.#aboard > 0) return { ok: false, failure: { problem, sent: 'unknown', requests: 0 } }
    this.#close()
    // The problem distinguishes the API's silence from a cancellation, so the request gets the right reason.
    if (own.cancelled) this.#deadline.cancel()
    else this.#deadline.end()
    const answer = await this.#answer
    return answer.ok ? answer : { ok: false, failure: { ...answer.failure, problem } }
  }
}

/** The key under which calls are equal; undefined for calls that are not shared. */
function keyOf(call: WireCall, maxBytes: number): string | undefined {
  const { principal, repeatable, method, target, query, headers, body, answer } = call
  if (principal === undefined || !repeatable) return undefined
  const sent = body && { ...body, value: jsonText(body.value) }
  return JSON.stringify([principal, method, target, query, headers, sent, answer, maxBytes])
}
