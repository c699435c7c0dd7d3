import type { Caller } from '../../access/caller.ts'
import { canonicalJson } from '../../base/canonical.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Emit, Event } from '../../base/event.ts'
import { engineProblem } from '../problems.ts'

/** Limits of the trace memory. A new trace never evicts one of another principal. */
export interface TraceLimits {
  readonly tracesPerPrincipal: number
  readonly eventsPerTrace: number
  /** Over all principals: at this limit, new traces are not kept. */
  readonly events: number
  readonly streamsPerPrincipal: number
  /** A trace is dropped after this many milliseconds without events. */
  readonly idleMs: number
}

export const DEFAULT_TRACE_LIMITS: TraceLimits = {
  tracesPerPrincipal: 64,
  eventsPerTrace: 512,
  events: 100_000,
  streamsPerPrincipal: 16,
  idleMs: 3_600_000,
}

/** One event of a trace. `seq` starts at 1, grows by one, and shows by its gaps what was left out. */
type TraceRecord = Readonly<Record<string, string | number | boolean>> & {
  readonly seq: number
  readonly at: number
  readonly name: string
}

const TOTALS = ['requests', 'refused', 'api_calls', 'effects', 'rows', 'bytes', 'ms'] as const
type Totals = Record<(typeof TOTALS)[number], number>

/** What a principal did in one logical session, as far as this process saw it. Times in ms since the epoch. */
export interface TraceSummary {
  readonly trace_id: string
  readonly logical_session_id: string
  /** `completed`: the session was closed. */
  readonly status: 'live' | 'completed'
  readonly started_at_ms: number
  readonly ended_at_ms: number | null
  readonly totals: Readonly<Totals>
}

export interface TraceDetail extends TraceSummary {
  readonly records: readonly TraceRecord[]
}

/** A message to a follower of a trace: a snapshot, then each event, then the end. */
export type TraceMessage =
  | { readonly kind: 'snapshot'; readonly seq: number; readonly detail: TraceDetail }
  | { readonly kind: 'patch'; readonly seq: number; readonly record: TraceRecord }
  | {
      readonly kind: 'terminal'
      readonly seq: number
      readonly status: 'completed'
      readonly ended_at_ms: number
    }

/** Must not throw and must not wait. */
export type TraceListener = (message: TraceMessage) => void

interface Trace {
  readonly id: string
  readonly session: string
  readonly principal: string
  readonly startedAt: number
  lastAt: number
  endedAt: number | null
  seq: number
  readonly totals: Totals
  /** Raw events: converted into records when they are read. */
  readonly events: { readonly seq: number; readonly event: Event }[]
  readonly listeners: Set<TraceListener>
}

/** Facts of an event that say which trace it belongs to. */
const PLACES = new Set(['principal', 'trace_id', 'logical_session_id'])

/** The last events of each principal's sessions, in the memory of this process. */
export class Traces {
  readonly #limits: TraceLimits
  readonly #flush: () => void
  /** By principal, then by id; in both, the one without events for longest comes first. */
  readonly #byPrincipal = new Map<string, Map<string, Trace>>()
  #events = 0
  #closed = false

  /** @param flush delivers buffered events: called before a reading */
  constructor(limits: TraceLimits = DEFAULT_TRACE_LIMITS, flush: () => void = () => undefined) {
    this.#limits = limits
    this.#flush = flush
  }

  /** Remembers an event that belongs to a session. */
  readonly emit: Emit = (event) => {
    const { principal, trace_id: id, logical_session_id: session } = event.facts
    if (this.#closed || typeof principal !== 'string' || typeof id !== 'string') return
    this.#forgetIdle(event.at)
    const trace = this.#traceFor(principal, id, String(session), event.at)
    if (!trace) return
    const seq = ++trace.seq
    trace.events.push({ seq, event })
    this.#events++
    if (trace.events.length > this.#limits.eventsPerTrace || this.#events > this.#limits.events) {
      trace.events.shift()
      this.#events--
    }
    count(trace.totals, event)
    trace.lastAt = event.at
    trace.endedAt = null
    for (const listener of trace.listeners) listener({ kind: 'patch', seq, record: toRecord(event, seq) })
    if (event.name === 'request' && event.facts['request'] === 'close' && event.facts['closed'] === true)
      end(trace)
  }

  /** The caller's own traces, the one with the latest event first. */
  list(
    caller: Caller,
    { offset, limit, status }: { offset: number; limit: number; status: 'all' | TraceSummary['status'] },
  ): readonly TraceSummary[] {
    return [...(this.#of(caller)?.values() ?? [])]
      .toReversed()
      .map(summaryOf)
      .filter((summary) => status === 'all' || summary.status === status)
      .slice(offset, offset + limit)
  }

  /** Gives `unknown_trace`, also for another caller's trace. */
  read(caller: Caller, id: string): Result<TraceDetail> {
    const trace = this.#of(caller)?.get(id)
    return trace ? ok(detailOf(trace)) : unknown(id)
  }

  /**
   * Follows a trace: delivers a snapshot immediately, then every later event without a gap. Returns a function that stops.
   *
   * Gives `unknown_trace` or `too_many_streams`.
   */
  follow(caller: Caller, id: string, listener: TraceListener): Result<() => void> {
    const own = this.#of(caller)
    const trace = own?.get(id)
    if (!own || !trace || this.#closed) return unknown(id)
    const streams = [...own.values()].reduce((sum, { listeners }) => sum + listeners.size, 0)
    const most = this.#limits.streamsPerPrincipal
    if (streams >= most) return failed([engineProblem('too_many_streams', { most })])
    trace.listeners.add(listener)
    listener({ kind: 'snapshot', seq: trace.seq, detail: detailOf(trace) })
    if (trace.endedAt !== null) end(trace)
    return ok(() => void trace.listeners.delete(listener))
  }

  /** Ends every stream; later events are ignored. */
  shutDown(): void {
    this.#closed = true
    for (const own of this.#byPrincipal.values()) for (const trace of own.values()) end(trace)
  }

  #of(caller: Caller): Map<string, Trace> | undefined {
    this.#flush()
    return caller.isAnonymous ? undefined : this.#byPrincipal.get(canonicalJson(caller.principal))
  }

  /** The trace, moved to the end of the order; a new one if it fits. */
  #traceFor(principal: string, id: string, session: string, at: number): Trace | undefined {
    const own = this.#byPrincipal.get(principal) ?? new Map<string, Trace>()
    let trace = own.get(id)
    if (trace) own.delete(id)
    else {
      const oldest = own.values().next().value
      if (own.size >= this.#limits.tracesPerPrincipal && oldest) this.#forget(own, oldest)
      if (this.#events >= this.#limits.events) return undefined
      trace = startTrace(principal, id, session, at)
    }
    own.set(id, trace)
    this.#byPrincipal.delete(principal)
    this.#byPrincipal.set(principal, own)
    return trace
  }

  #forgetIdle(now: number): void {
    for (const [principal, own] of this.#byPrincipal) {
      for (const trace of own.values()) {
        if (trace.lastAt > now - this.#limits.idleMs) break
        this.#forget(own, trace)
      }
      if (own.size > 0) break
      this.#byPrincipal.delete(principal)
    }
  }

  #forget(own: Map<string, Trace>, trace: Trace): void {
    end(trace)
    own.delete(trace.id)
    this.#events -= trace.events.length
  }
}

function startTrace(principal: string, id: string, session: string, at: number): Trace {
  const totals = { requests: 0, refused: 0, api_calls: 0, effects: 0, rows: 0, bytes: 0, ms: 0 }
  const rest = { startedAt: at, lastAt: at, endedAt: null, seq: 0, totals, events: [] }
  return { id, session, principal, ...rest, listeners: new Set() }
}

function unknown(id: string): Result<never> {
  return failed([engineProblem('unknown_trace', { id: id.slice(0, 40) })])
}

/** Sends the end to every follower. */
function end(trace: Trace): void {
  trace.endedAt = trace.lastAt
  for (const listener of trace.listeners) {
    trace.listeners.delete(listener)
    listener({ kind: 'terminal', seq: trace.seq, status: 'completed', ended_at_ms: trace.lastAt })
  }
}

function count(totals: Totals, { name, facts }: Event): void {
  if (name === 'api_call') totals.api_calls++
  if (name === 'effect') totals.effects++
  if (name !== 'request') return
  totals.requests++
  if (facts['ok'] === false) totals.refused++
  for (const fact of ['rows', 'bytes', 'ms'] as const) totals[fact] += Number(facts[fact] ?? 0)
}

function toRecord({ name, at, facts }: Event, seq: number): TraceRecord {
  const shown = Object.entries(facts).filter(([fact]) => !PLACES.has(fact))
  return { ...Object.fromEntries(shown), seq, at, name }
}

function summaryOf({ id, session, startedAt, endedAt, totals }: Trace): TraceSummary {
  return {
    trace_id: id,
    logical_session_id: session,
    status: endedAt === null ? 'live' : 'completed',
    started_at_ms: startedAt,
    ended_at_ms: endedAt,
    totals: { ...totals },
  }
}

function detailOf(trace: Trace): TraceDetail {
  return { ...summaryOf(trace), records: trace.events.map(({ event, seq }) => toRecord(event, seq)) }
}
