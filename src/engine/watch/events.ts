import type { Caller } from '../../access/caller.ts'
import { canonicalJson } from '../../base/canonical.ts'
import type { Problem } from '../../base/diagnostic.ts'
import type { Event } from '../../base/event.ts'
import { uuidV5 } from '../../base/hash.ts'
import type { Wire, WireCall } from '../../execution/wire.ts'
import type { SessionRecord } from '../../session/record.ts'
import type { Gateway, Reply, RunFacts } from '../contract.ts'
import { type Limits, limitsOf, type Parts } from '../parts.ts'
import { principalKey } from '../session/principal.ts'

/*
 * What the engine tells of itself, in three kinds of events: a `request` when it ends, an `api_call` for each call that was
 * handed to the wire, an `effect` for each change that a run was to make. They hold who, what, when, how long, how much and
 * how it ended; never an intent, a program, a value of one, a row or a credential.
 */

type Facts = Event['facts']
type WireLimits = Parameters<Wire['send']>[1]
type WireAnswer = Awaited<ReturnType<Wire['send']>>

/** Traces are told apart by this and the session's scope and id. */
const TRACE_NAMESPACE = '018fb8d5-4e9a-73a7-b0e1-3f2c1a8b09d4'

/** A record in use is one object, and so is its trace. */
const traceIds = new WeakMap<SessionRecord, string>()

/** The trace of a logical session: one for its whole life, on every node. */
function traceIdOf(record: SessionRecord): string {
  let id = traceIds.get(record)
  if (id === undefined) {
    id = uuidV5(TRACE_NAMESPACE, `${canonicalJson(record.scope)}\nlogical:${record.logicalSessionId}`)
    traceIds.set(record, id)
  }
  return id
}

/** Does the work of one request with parts of its own, and tells what it came to. */
export type Observe = <Answer>(
  request: keyof Gateway,
  caller: Caller,
  work: (own: Parts) => Promise<Reply<Answer>>,
  counts?: (facts: Answer) => Facts,
) => Promise<Reply<Answer>>

/** Watches the requests of one engine. */
export function observer(parts: Parts): Observe {
  let requests = 0
  return async (request, caller, work, counts) => {
    const watched = new WatchedRequest(parts, caller, request, ++requests)
    try {
      const reply = await work(watched.parts)
      watched.answered(reply, counts)
      return reply
    } catch (error) {
      watched.ended(false, 'internal_error')
      throw error
    }
  }
}

/** One request under way: what is known of it so far, and the parts that tell of it. */
class WatchedRequest implements Wire {
  readonly parts: Parts
  readonly #all: Parts
  readonly #began: number
  /** Anonymous callers bear one name and are many. */
  readonly #isAnonymous: boolean
  readonly #principal: string
  /** What every event of the request holds. */
  readonly #common: Record<string, string | number | boolean>
  #sent = 0

  constructor(all: Parts, caller: Caller, request: string, id: number) {
    this.#all = all
    this.#began = all.clock.now()
    this.#isAnonymous = caller.isAnonymous === true
    this.#principal = principalKey(caller)
    this.#common = { request, request_id: id, principal: this.#principal }
    const about = (record: SessionRecord) => this.#about(record)
    this.parts = withOwn(all, limitsOf(caller, all.limits), about, this)
  }

  #about(record: SessionRecord): void {
    // Who knows the id of such a session can go on with it: it is nothing for a log.
    if (this.#isAnonymous) return
    this.#common['trace_id'] = traceIdOf(record)
    this.#common['logical_session_id'] = record.logicalSessionId
  }

  /** Each call is told for whom it is, and told of once it is over. */
  async send(call: WireCall, limits: WireLimits): Promise<WireAnswer> {
    const { wire, clock } = this.#all
    const began = clock.now()
    const answer = await wire.send(this.#isAnonymous ? call : { ...call, principal: this.#principal }, limits)
    if (!call.repeatable) this.#sent++
    this.#tell('api_call', callFacts(call, answer, clock.now() - began))
    return answer
  }

  answered<Answer>(reply: Reply<Answer>, counts?: (facts: Answer) => Facts): void {
    const run = isRun(reply.facts) ? reply.facts : undefined
    if (run) for (const facts of effectFacts(run, this.#sent)) this.#tell('effect', facts)
    const problems = reply.ok ? (run?.problems ?? []) : reply.problems
    return this.ended(reply.ok, codesOf(problems), reply.facts && counts?.(reply.facts))
  }

  /** The last event of the request, and so the one that may keep what all of them hold. */
  ended(isOk: boolean, codes: string, counts?: Facts): void {
    const { emit, clock } = this.#all
    const at = clock.now()
    const facts = this.#common
    facts['ok'] = isOk
    facts['codes'] = codes
    if (counts) Object.assign(facts, counts)
    facts['ms'] = at - this.#began
    emit({ name: 'request', at, facts })
  }

  #tell(name: string, facts: Facts): void {
    const { emit, clock } = this.#all
    emit({ name, at: clock.now(), facts: { ...this.#common, ...facts } })
  }
}

/** Spelled out, since each request is given parts of its own: to spread an object costs many times as much. */
function withOwn(all: Parts, limits: Limits, about: Parts['about'], wire: Wire): Parts {
  const { store, catalogs, clock, secrets, newId, every, budget, emit, effectPolicy, loopPolicy } = all
  return {
    store,
    catalogs,
    wire,
    clock,
    secrets,
    newId,
    every,
    limits,
    budget,
    emit,
    about,
    effectPolicy,
    loopPolicy,
  }
}

function codesOf(problems: readonly Problem[]): string {
  return problems.length === 0 ? '' : [...new Set(problems.map(({ code }) => code))].join(',')
}

/** What of a run can be counted. */
export function runCounts({ results, usage, effects }: RunFacts): Facts {
  return {
    results: results.length,
    rows: results.reduce((sum, { rows }) => sum + rows.length, 0),
    calls: usage.calls,
    bytes: usage.bytes,
    effects: effects.length,
  }
}

function isRun(facts: unknown): facts is RunFacts {
  return typeof facts === 'object' && facts !== null && 'effects' in facts && 'usage' in facts
}

/** What became of each effect. The recorded outcome of a spent plan tells of effects that this request did not have. */
function effectFacts({ effects }: RunFacts, sent: number): Facts[] {
  const isRepeated = sent === 0 && effects.some(({ state }) => state !== 'not_sent')
  return isRepeated
    ? []
    : effects.map(({ node, row, capability, catalog, state, problem }) => ({
        catalog,
        capability,
        node,
        row,
        state,
        codes: problem?.code ?? '',
      }))
}

function callFacts(call: WireCall, answer: WireAnswer, ms: number): Facts {
  const end = answer.ok ? { sent: 'yes', ...answer.reply } : { bytes: 0, ...answer.failure }
  return {
    catalog: call.catalog.id,
    capability: call.capability ?? '',
    method: call.method,
    origin: originOf(call),
    effect: !call.repeatable,
    ok: answer.ok,
    sent: end.sent,
    status: end.status ?? 0,
    requests: end.requests,
    bytes: end.bytes,
    codes: answer.ok ? '' : answer.failure.problem.code,
    ms,
  }
}

/** Where the call went: scheme, host and port. Never a path or a query, which hold values. */
function originOf({ catalog, target }: WireCall): string {
  const base = 'url' in target ? target.url : catalog.origin
  return URL.canParse(base) ? new URL(base).origin : ''
}
