import { Agent } from 'undici'
import type { Clock } from '../../base/clock.ts'
import type { Rate } from '../../base/token-bucket.ts'
import type { ServedCatalog } from '../../catalog/model.ts'
import type { Wire, WireCall } from '../../execution/wire.ts'
import type { AnswerBody } from './answer/read.ts'
import { AnswerReader } from './answer/reader.ts'
import { guardedLookup, lookupBySystem, type Lookup, type Reach } from './addresses.ts'
import { Credentials, type ReadSecret, type ReferenceFor } from './credentials/credentials.ts'
import { tokenRequester } from './credentials/grant.ts'
import type { Logins } from './credentials/logins.ts'
import type { Deadline } from './deadline.ts'
import { destinationOf, type AllowPrivate, type Destination } from './destination.ts'
import { exchangeAtOnce, exitOf, interrupted, type Attempt, type Exit } from './exchange.ts'
import { Flights } from './flights.ts'
import { Origin, type Withheld } from './origin.ts'
import { wireProblem, type WireProblem } from './problems.ts'
import { requestOf } from './request.ts'
import { mayPass, MAX_RETRIES, pauseBefore } from './retry.ts'
import { holdsStruck } from './strike-out.ts'

export interface HttpWireOptions {
  /** Resolves a secret reference; rejects if there is none. */
  readonly secrets: ReadSecret
  /** What `plasmid auth login` stored; by default there is none. */
  readonly logins?: Logins
  /** The secrets of a principal in place of a catalog's own; by default every principal uses the same ones. */
  readonly referenceFor?: ReferenceFor
  /** Does the operator let the catalog connect to private addresses at that origin (`https://jira.internal`)? */
  readonly allowPrivate: AllowPrivate
  readonly userAgent: string
  /** The most sockets per origin, of which a principal gets half while it is alone; 64 by default. */
  readonly connections?: number
  /** The timeout of a connection attempt; 10 s by default. */
  readonly connectTimeoutMs?: number
  /** The system's resolver by default. */
  readonly lookup?: Lookup
  /** The operator's rate for an origin; without one, only the API's own limits apply. */
  readonly rateOf?: (origin: string) => Rate | undefined
  /** Do other processes change data of the same principals? Then different runs never share a read. */
  readonly isShared?: boolean
  /** The longest wait that an API can impose on a caller; 60 s by default. */
  readonly mostWaitMs?: number
  /** The system's clock by default. */
  readonly clock?: Clock
  /** A clock that never steps; that of the process by default. */
  readonly steady?: Clock
}

type Sent = Awaited<ReturnType<Wire['send']>>
type Limits = Parameters<Wire['send']>[1]

/**
 * The client of HTTP APIs. The circuit of a failing origin opens for a while, limits that an API states are respected,
 * and equal concurrent reads of one principal share a request. Credentials are added here only. Calls go only to origins
 * that the catalog declares; redirects are not followed; proxies of the environment are not used.
 */
export function httpWire(options: HttpWireOptions): Wire & { shutDown(): Promise<void> } {
  return new HttpWire(options)
}

class HttpWire implements Wire {
  readonly #options: HttpWireOptions
  readonly #credentials: Credentials
  /** One agent for each set of allowed addresses, since agents share sockets between catalogs. */
  readonly #exits = new Map<Reach, Exit>()
  readonly #clock: Clock
  /** At most as many as the catalogs declare: other origins are refused earlier. */
  readonly #origins = new Map<string, Origin>()
  readonly #flights: Flights
  readonly #answers = new AnswerReader()

  constructor(options: HttpWireOptions) {
    this.#options = options
    this.#flights = new Flights(options.isShared)
    this.#clock = options.clock ?? { now: Date.now }
    const { secrets, logins = NO_LOGINS, referenceFor, allowPrivate, userAgent } = options
    const requestToken = tokenRequester((reach) => this.#exit(reach), allowPrivate, userAgent)
    this.#credentials = new Credentials({ secrets, logins, referenceFor }, requestToken)
  }

  async send(call: WireCall, limits: Limits): Promise<Sent> {
    const destination = destinationOf(call, this.#options.allowPrivate)
    if (!destination.ok) return notSent(destination.problems, 0)
    const { catalog, target, query, body } = call
    if (holdsStruck([...Object.values(target), ...query.flat(), body?.value ?? null]))
      return notSent([wireProblem('secret_struck', { catalog: catalog.id })], 0)
    const { origin } = destination.value.url
    try {
      return await this.#flights.send(call, limits, origin, (deadline) =>
        this.#sendAsServed(deadline, call, destination.value, limits.maxBytes),
      )
    } finally {
      if (!call.repeatable) this.#flights.seal()
    }
  }

  async shutDown(): Promise<void> {
    await Promise.all([...this.#exits.values()].map((exit) => exit.destroy()))
    await this.#answers.shutDown()
  }

  /** Sends it to the address, and with the credentials, that its catalog has at that moment: it may change while the call waits. */
  async #sendAsServed(
    deadline: Deadline,
    call: WireCall,
    first: Destination,
    maxBytes: number,
  ): Promise<Sent> {
    let destination = first
    for (let current = call; ;) {
      const sent = await this.#sendUntil(deadline, current, destination, maxBytes)
      if (!('servedAs' in sent)) return sent
      // A catalog that changes at every look must not keep the call, and all others, from their deadlines.
      if (!(await deadline.pause(0))) return notSent([interrupted(destination.url.origin, deadline)], 0)
      current = { ...call, catalog: sent.servedAs }
      const next = destinationOf(current, this.#options.allowPrivate)
      if (!next.ok) return notSent(next.problems, 0)
      destination = next.value
    }
  }

  /** @returns `servedAs` where nothing was sent, because the catalog that is served now is another one */
  async #sendUntil(
    deadline: Deadline,
    call: WireCall,
    { url, reach }: Destination,
    maxBytes: number,
  ): Promise<Sent | { readonly servedAs: ServedCatalog }> {
    // All anonymous callers are one principal.
    const principal = call.principal ?? ''
    const context = {
      exit: this.#exit(reach),
      catalog: call.catalog.id,
      deadline,
      maxBytes,
      read: (body: AnswerBody) => this.#answers.read(body, principal, deadline),
    }
    const origin = this.#origin(url.origin)
    const resting = origin.refusal(principal)
    if (resting) return notSent([resting], 0)
    let last: Attempt | undefined
    let isRenewed = false
    for (let requests = 0; ;) {
      const credential = await deadline
        .race(this.#credentials.proofFor(call.catalog, url.origin, call.principal))
        .catch(() => undefined)
      if (!credential) return notSent([interrupted(url.origin, deadline)], requests)
      if (!credential.ok) return notSent(credential.problems, requests)
      const { proof, reject } = credential.value
      const unsigned = requestOf(call, url, proof, this.#options.userAgent)
      const request = proof.sign ? await proof.sign(unsigned) : unsigned
      const sent = await origin.send(principal, deadline, async () => {
        for (;;) {
          const admitted = await call.admit()
          const isSame = admitted.ok && admitted.value === call.catalog
          if (!isSame) return { kind: 'withheld', admitted }
          const attempt = await exchangeAtOnce(request, context)
          // Rights may have ended while the connection was made: they are asked again now that it is there.
          if (attempt.kind !== 'waited') return attempt
        }
      })
      // The API's last response explains more than the reason for not retrying.
      if (!sent.ok) return last ? toSent(last, requests) : notSent(sent.problems, requests)
      if (sent.value.kind === 'withheld') return last ? toSent(last, requests) : notAdmitted(sent.value)
      const attempt = sent.value
      last = attempt
      requests++
      const isRejected = attempt.kind === 'reply' && attempt.status === 401 && reject !== undefined
      if (isRejected) reject()
      const isOpen = requests <= MAX_RETRIES && !deadline.over && !origin.refusal(principal)
      // An API that rejects a token has not acted: a write may go again, once, with a new one.
      if (isOpen && isRejected && !isRenewed) {
        isRenewed = true
        continue
      }
      if (!isOpen || !call.repeatable || !mayPass(attempt)) return toSent(attempt, requests)
      const now = this.#clock.now()
      const { mostWaitMs: mostMs = MAX_WAIT_MS } = this.#options
      const pause = pauseBefore(attempt, requests - 1, { random: Math.random(), now, mostMs })
      if (pause >= deadline.remainingMs || !(await deadline.pause(pause))) return toSent(attempt, requests)
    }
  }

  #origin(name: string): Origin {
    let origin = this.#origins.get(name)
    if (!origin) {
      const { connections = CONNECTIONS, mostWaitMs = MAX_WAIT_MS, rateOf, steady = STEADY } = this.#options
      origin = new Origin(name, {
        clock: this.#clock,
        steady,
        places: connections,
        rate: rateOf?.(name),
        mostWaitMs,
      })
      this.#origins.set(name, origin)
    }
    return origin
  }

  #exit(reach: Reach): Exit {
    let exit = this.#exits.get(reach)
    if (!exit) {
      const lookup = guardedLookup(this.#options.lookup ?? lookupBySystem, reach)
      const agent = new Agent({
        connections: this.#options.connections ?? CONNECTIONS,
        connect: { lookup, timeout: this.#options.connectTimeoutMs ?? 10_000 },
        // Slow headers and bodies are bounded by the deadline of each call.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      exit = exitOf(agent)
      this.#exits.set(reach, exit)
    }
    return exit
  }
}

const CONNECTIONS = 64
const MAX_WAIT_MS = 60_000
const STEADY: Clock = { now: () => performance.now() }
const NO_LOGINS: Logins = {
  read: async () => undefined,
  write: async () => {},
  remove: async () => false,
}

function toSent(attempt: Attempt, requests: number): Sent {
  if (attempt.kind === 'reply') {
    const { status, headers, body, bytes } = attempt
    return { ok: true, reply: { status, headers, body, bytes, requests } }
  }
  const { kind: _kind, passing: _passing, ...failure } = attempt
  return { ok: false, failure: { ...failure, requests } }
}

/** A call that waited until it was not admitted any more, or only under another catalog. */
function notAdmitted({ admitted }: Withheld): Sent | { readonly servedAs: ServedCatalog } {
  if (admitted.ok) return { servedAs: admitted.value }
  const [problem] = admitted.problems
  if (!problem) throw new Error('a refusal states a problem')
  return { ok: false, failure: { problem, sent: 'no', isRefused: true, requests: 0 } }
}

/** The failure of a call whose next request was refused: an earlier one may have reached the API. */
function notSent(problems: readonly WireProblem[], requests: number): Sent {
  const [problem] = problems
  if (!problem) throw new Error('a refusal states a problem')
  return { ok: false, failure: { problem, sent: requests === 0 ? 'no' : 'unknown', requests } }
}
