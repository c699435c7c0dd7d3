import { Agent } from 'undici'
import type { Wire, WireCall } from '../../execution/wire.ts'
import { guardedLookup, lookupBySystem, type Lookup, type Reach } from './addresses.ts'
import { Credentials, type ReadSecret } from './credentials.ts'
import { Deadline } from './deadline.ts'
import { destinationOf, type AllowPrivate } from './destination.ts'
import { exchange, interrupted, type Attempt } from './exchange.ts'
import type { WireProblem } from './problems.ts'
import { requestOf } from './request.ts'
import { mayPass, MOST_RETRIES, pauseBefore } from './retry.ts'
import { tokenFetcher } from './token.ts'

export interface HttpWireOptions {
  /** The secret of a reference; rejects where there is none. */
  readonly secrets: ReadSecret
  /** Does the operator let the catalog reach private addresses at that origin (`https://jira.internal`)? */
  readonly allowPrivate: AllowPrivate
  readonly userAgent: string
  /** Sockets to one origin at once; 32 where absent. */
  readonly connections?: number
  /** How long a connection may take to open; 10 s where absent. */
  readonly connectTimeoutMs?: number
  /** The system's resolver where absent. */
  readonly lookup?: Lookup
}

type Sent = Awaited<ReturnType<Wire['send']>>
type Limits = Parameters<Wire['send']>[1]

/**
 * The way out to HTTP APIs. Credentials are put on here and nowhere else; only origins that the catalog declares are
 * called; redirects are not followed; proxies of the environment are not used.
 */
export function httpWire(options: HttpWireOptions): Wire & { shutDown(): Promise<void> } {
  return new HttpWire(options)
}

class HttpWire implements Wire {
  readonly #options: HttpWireOptions
  readonly #credentials: Credentials
  /** One for each reach, since sockets are shared: none that one catalog may use leads another astray. */
  readonly #agents = new Map<Reach, Agent>()

  constructor(options: HttpWireOptions) {
    this.#options = options
    const fetchToken = tokenFetcher((reach) => this.#agent(reach), options.allowPrivate, options.userAgent)
    this.#credentials = new Credentials(options.secrets, fetchToken)
  }

  async send(call: WireCall, limits: Limits): Promise<Sent> {
    const destination = destinationOf(call, this.#options.allowPrivate)
    if (!destination.ok) return notSent(destination.problems, 0)
    const deadline = new Deadline(limits.signal, limits.timeoutMs)
    try {
      return await this.#sendUntil(deadline, call, destination.value, limits.maxBytes)
    } finally {
      deadline.dispose()
    }
  }

  async shutDown(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()))
  }

  async #sendUntil(
    deadline: Deadline,
    call: WireCall,
    { url, reach }: { readonly url: URL; readonly reach: Reach },
    maxBytes: number,
  ): Promise<Sent> {
    const context = { agent: this.#agent(reach), catalog: call.catalog.id, deadline, maxBytes }
    for (let requests = 0; ;) {
      const proof = await deadline.race(this.#credentials.proofFor(call.catalog)).catch(() => undefined)
      if (!proof) return notSent([interrupted(url.origin, deadline)], requests)
      if (!proof.ok) return notSent(proof.problems, requests)
      const attempt = await exchange(requestOf(call, url, proof.value, this.#options.userAgent), context)
      requests++
      const isStale =
        attempt.kind === 'reply' &&
        attempt.status === 401 &&
        this.#credentials.forget(call.catalog, proof.value)
      const again = call.repeatable && requests <= MOST_RETRIES && !deadline.over
      if (!again || !(isStale || mayPass(attempt))) return toSent(attempt, requests)
      const pause = isStale ? 0 : pauseBefore(attempt, requests - 1, Math.random(), Date.now())
      if (pause >= deadline.remainingMs || !(await deadline.pause(pause))) return toSent(attempt, requests)
    }
  }

  #agent(reach: Reach): Agent {
    let agent = this.#agents.get(reach)
    if (!agent) {
      const lookup = guardedLookup(this.#options.lookup ?? lookupBySystem, reach)
      agent = new Agent({
        connections: this.#options.connections ?? 32,
        connect: { lookup, timeout: this.#options.connectTimeoutMs ?? 10_000 },
        // The deadline of each call ends slow headers and slow bodies.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      this.#agents.set(reach, agent)
    }
    return agent
  }
}

function toSent(attempt: Attempt, requests: number): Sent {
  if (attempt.kind === 'reply') {
    const { status, headers, body, bytes } = attempt
    return { ok: true, reply: { status, headers, body, bytes, requests } }
  }
  const { problem, sent, status } = attempt
  return { ok: false, failure: { problem, sent, ...(status === undefined ? {} : { status }), requests } }
}

/** The last request, if any, has failed; the next one did not leave. */
function notSent(problems: readonly WireProblem[], requests: number): Sent {
  const [problem] = problems
  if (!problem) throw new Error('a refusal states a problem')
  return { ok: false, failure: { problem, sent: requests === 0 ? 'no' : 'unknown', requests } }
}
