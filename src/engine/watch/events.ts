import type { Caller } from '../../access/caller.ts'
import type { CallScope } from '../../access/scope.ts'
import { canonicalJson } from '../../base/canonical.ts'
import type { Problem } from '../../base/diagnostic.ts'
import type { Event } from '../../base/event.ts'
import { uuidV5 } from '../../base/hash.ts'
import { once } from '../../base/once.ts'
import type { Mcp, McpCall } from '../../execution/mcp.ts'
import type { Wire, WireCall } from '../../execution/wire.ts'
import type { SessionRecord } from '../../session/record.ts'
import type { CallWatch, ScopeNotes } from '../call.ts'
import type { ApiCall, Reply, RunFacts } from '../contract.ts'
import type { Parts } from '../parts.ts'
import { principalKey } from '../session/principal.ts'

/*
 * The events of the engine: a `request` when it ends, an `api_call` for each call that was handed to the wire, an `effect` for
 * each change that a run planned; `workspace_overruled` where a call names another workspace than its host announced, and
 * `workspace_ignored` where an announcement cannot be used. They hold who, what, when, how long, how much and how it ended;
 * never an intent, a program or its values, a row or a credential.
 */

export type EventFacts = Event['facts']
type WireLimits = Parameters<Wire['send']>[1]
type WireAnswer = Awaited<ReturnType<Wire['send']>>

/** A trace id is derived from this namespace and the session's scope and id. */
const TRACE_NAMESPACE = '018fb8d5-4e9a-73a7-b0e1-3f2c1a8b09d4'

/** The trace of a logical session: one for its whole life, on every node. */
const traceIdOf = once(({ scope, logicalSessionId }: SessionRecord) =>
  uuidV5(TRACE_NAMESPACE, `${canonicalJson(scope)}\nlogical:${logicalSessionId}`),
)

/**
 * Reports one request: its API calls as they end, its effects and its own end. Every repeated context gets one, so it has
 * methods instead of closures.
 */
export class RequestWatch implements CallWatch {
  readonly #parts: Parts
  readonly #began: number
  /** Anonymous callers bear one name and are many. */
  readonly #isAnonymous: boolean
  readonly #principal: string
  /** What every event of the request holds. */
  readonly #common: Record<string, string | number | boolean>
  readonly #progress: ((call: ApiCall) => void) | undefined
  #sent = 0
  #notes: ScopeNotes = {}
  #calls = 0

  /** @param request its name, its number, and who follows its calls to APIs */
  constructor(
    parts: Parts,
    caller: Caller,
    {
      name: request,
      id,
      progress,
    }: {
      readonly name: string
      readonly id: number
      readonly progress: ((call: ApiCall) => void) | undefined
    },
  ) {
    this.#progress = progress
    this.#parts = parts
    this.#began = parts.clock.now()
    this.#isAnonymous = caller.isAnonymous === true
    this.#principal = principalKey(caller)
    this.#common = { request, request_id: id, principal: this.#principal }
  }

  about(record: SessionRecord): void {
    // The id of such a session is its credential, so it must not reach a log.
    if (this.#isAnonymous) return
    this.#common['trace_id'] = traceIdOf(record)
    this.#common['logical_session_id'] = record.logicalSessionId
  }

  placed({ workspaceId, trust }: CallScope, notes: ScopeNotes): void {
    if (workspaceId !== '') this.#common['workspace'] = workspaceId
    if (trust !== 'direct') this.#common['trust'] = trust
    this.#notes = notes
  }

  /** Adds the principal to the call, and reports the call once it ended. */
  async send(call: WireCall, limits: WireLimits): Promise<WireAnswer> {
    const { wire, clock } = this.#parts
    const began = clock.now()
    const shown = { number: ++this.#calls, ...shownCall(call) }
    this.#progress?.(shown)
    const answer = await wire.send(this.#isAnonymous ? call : { ...call, principal: this.#principal }, limits)
    if (!call.repeatable) this.#sent++
    const ms = clock.now() - began
    this.#report('api_call', callFacts(call, answer, ms))
    this.#progress?.({ ...shown, end: endOf(answer, ms) })
    return answer
  }

  mcp(servers: Mcp): Mcp {
    const { clock } = this.#parts
    return {
      send: async (call, limits) => {
        const began = clock.now()
        const shown = { number: ++this.#calls, ...shownCall(call) }
        this.#progress?.(shown)
        const answer = await servers.send(call, limits)
        if (!call.repeatable) this.#sent++
        const { workspace = '', trust = 'direct' } = this.#common
        const ms = clock.now() - began
        this.#report('api_call', { workspace, trust, ...mcpFacts(call, answer, ms) })
        this.#progress?.({ ...shown, end: mcpEndOf(answer, ms) })
        return answer
      },
    }
  }

  answered<Answer>(reply: Reply<Answer>, counts?: (facts: Answer) => EventFacts): void {
    const run = isRun(reply.facts) ? reply.facts : undefined
    if (run) for (const facts of effectFacts(run, this.#sent)) this.#report('effect', facts)
    const problems = reply.ok ? (run?.problems ?? []) : reply.problems
    return this.ended(reply.ok, codesOf(problems), reply.facts && counts?.(reply.facts))
  }

  /** The last event of the request, and so the one that may keep what all of them hold. */
  ended(isOk: boolean, codes: string, counts?: EventFacts): void {
    const { emit, clock } = this.#parts
    const { overruled, ignored } = this.#notes
    // Reported only now, when the session and with it the trace is known.
    if (overruled !== undefined) this.#report('workspace_overruled', { announced: overruled })
    if (ignored !== undefined) this.#report('workspace_ignored', { announced: ignored })
    const at = clock.now()
    const facts = this.#common
    facts['ok'] = isOk
    facts['codes'] = codes
    if (counts) Object.assign(facts, counts)
    facts['ms'] = at - this.#began
    emit({ name: 'request', at, facts })
  }

  #report(name: string, facts: EventFacts): void {
    const { emit, clock } = this.#parts
    emit({ name, at: clock.now(), facts: { ...this.#common, ...facts } })
  }
}

function codesOf(problems: readonly Problem[]): string {
  return problems.length === 0 ? '' : [...new Set(problems.map(({ code }) => code))].join(',')
}

/** What of a run can be counted. */
export function runCounts({ results, usage, effects }: RunFacts): EventFacts {
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

/** What became of each effect. The recorded outcome of a spent plan lists effects of another request: they are not reported again. */
function effectFacts({ effects }: RunFacts, sent: number): EventFacts[] {
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

function shownCall({
  catalog,
  capability = '',
  repeatable,
}: Pick<WireCall, 'catalog' | 'capability' | 'repeatable'>) {
  return { catalog: catalog.id, capability, isEffect: !repeatable }
}

function mcpEndOf(answer: Awaited<ReturnType<Mcp['send']>>, ms: number): NonNullable<ApiCall['end']> {
  if (!answer.ok) return { ok: false, ms, problem: answer.failure.problem }
  return { ok: answer.reply.answer.type !== 'tool' || !answer.reply.answer.isError, ms }
}

function endOf(answer: WireAnswer, ms: number): NonNullable<ApiCall['end']> {
  return answer.ok
    ? { ok: answer.reply.status < 400, status: answer.reply.status, ms }
    : { ok: false, status: answer.failure.status ?? 0, ms, problem: answer.failure.problem }
}

function callFacts(call: WireCall, answer: WireAnswer, ms: number): EventFacts {
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

function mcpFacts(call: McpCall, answer: Awaited<ReturnType<Mcp['send']>>, ms: number): EventFacts {
  const { catalog, capability, request, repeatable } = call
  const end = answer.ok ? answer.reply : { bytes: 0, ...answer.failure }
  return {
    catalog: catalog.id,
    capability,
    method: request.type,
    ...(request.type === 'tool' && {
      tool: request.name,
      // Their names alone: a record never holds values.
      arguments: Object.keys(request.arguments).join(',').slice(0, 200),
    }),
    origin: catalog.origin,
    effect: !repeatable,
    ok: answer.ok,
    sent: answer.ok ? 'yes' : SENT[answer.failure.acted],
    status: 0,
    requests: end.requests,
    bytes: end.bytes,
    codes: answer.ok ? '' : answer.failure.problem.code,
    ms,
  }
}

/** Whether a failed call reached the server, by what it may have done. */
const SENT = { not_sent: 'no', no: 'yes', yes: 'yes', unknown: 'unknown' } as const

/** Where the call went: scheme, host and port. Never a path or a query, which hold values. */
function originOf({ catalog, target }: WireCall): string {
  const base = 'url' in target ? target.url : catalog.origin
  return URL.canParse(base) ? new URL(base).origin : ''
}
