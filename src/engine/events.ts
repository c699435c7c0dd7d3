import type { Caller } from '../access/caller.ts'
import { canonicalJson } from '../base/canonical.ts'
import type { Event } from '../base/event.ts'
import { uuidV5 } from '../base/hash.ts'
import type { Wire, WireCall } from '../execution/wire.ts'
import type { SessionRecord } from '../session/record.ts'
import type { Gateway, Reply, RunFacts } from './contract.ts'
import { limitsOf, type Parts } from './parts.ts'
import { principalKey } from './principal.ts'

/*
 * What the engine tells of itself, in three kinds of events: a `request` when it ends, an `api_call` for each call that was
 * handed to the wire, an `effect` for each change that a run was to make. They hold who, what, when, how long, how much and
 * how it ended; never an intent, a program, a value of one, a row or a credential.
 */

type Facts = Event['facts']

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
    const began = parts.clock.now()
    const principal = principalKey(caller)
    const common: Record<string, string | number> = { request, request_id: ++requests, principal }
    const tell = (name: string, facts: Facts) =>
      parts.emit({ name, at: parts.clock.now(), facts: Object.assign({}, common, facts) })
    let sent = 0
    const own: Parts = {
      ...parts,
      limits: limitsOf(caller, parts.limits),
      about: (record) => {
        // Who knows the id of such a session can go on with it: it is nothing for a log.
        if (caller.isAnonymous) return
        common['trace_id'] = traceIdOf(record)
        common['logical_session_id'] = record.logicalSessionId
      },
      // Anonymous callers bear one name and are many.
      wire: watchedWire(parts, caller.isAnonymous ? undefined : principal, (call, facts) => {
        if (!call.repeatable) sent++
        tell('api_call', facts)
      }),
    }
    const ended = (facts: Facts) => tell('request', { ...facts, ms: parts.clock.now() - began })
    try {
      const reply = await work(own)
      const run = reply.ok && isRun(reply.facts) ? reply.facts : undefined
      for (const facts of run ? effectFacts(run, sent) : []) tell('effect', facts)
      const problems = reply.ok ? run?.problems : reply.problems
      const codes = problems?.length ? [...new Set(problems.map(({ code }) => code))].join(',') : ''
      ended({ ok: reply.ok, codes, ...(reply.ok && counts ? counts(reply.facts) : {}) })
      return reply
    } catch (error) {
      ended({ ok: false, codes: 'internal_error' })
      throw error
    }
  }
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

/** The wire, with each call told for whom it is, and told of once it is over. */
function watchedWire(
  { wire, clock }: Parts,
  principal: string | undefined,
  tell: (call: WireCall, facts: Facts) => void,
): Wire {
  return {
    send: async (call, limits) => {
      const began = clock.now()
      const answer = await wire.send(principal === undefined ? call : { ...call, principal }, limits)
      const end = answer.ok ? { sent: 'yes', ...answer.reply } : { bytes: 0, ...answer.failure }
      tell(call, {
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
        ms: clock.now() - began,
      })
      return answer
    },
  }
}

/** Where the call went: scheme, host and port. Never a path or a query, which hold values. */
function originOf({ catalog, target }: WireCall): string {
  const base = 'url' in target ? target.url : catalog.origin
  return URL.canParse(base) ? new URL(base).origin : ''
}
