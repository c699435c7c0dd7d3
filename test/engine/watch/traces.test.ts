import { expect, test } from 'vitest'
import { LOCAL_USER, type Caller } from '../../../src/access/caller.ts'
import { canonicalJson } from '../../../src/base/canonical.ts'
import type { Event } from '../../../src/base/event.ts'
import { DEFAULT_TRACE_LIMITS, type TraceMessage, Traces } from '../../../src/engine/watch/traces.ts'

const OTHER: Caller = { ...LOCAL_USER, principal: ['key', 'subject', 'other'] }
const NOBODY: Caller = { ...LOCAL_USER, principal: ['anonymous'], isAnonymous: true }
const ALL = { offset: 0, limit: 200, status: 'all' } as const

function event(trace: string, at: number, facts: Event['facts'] = {}, caller: Caller = LOCAL_USER): Event {
  const principal = canonicalJson(caller.principal)
  const places = { principal, trace_id: trace, logical_session_id: `session of ${trace}` }
  return { name: 'request', at, facts: { request: 'run', ok: true, ms: 5, ...places, ...facts } }
}

function traced(limits: Partial<typeof DEFAULT_TRACE_LIMITS> = {}) {
  const traces = new Traces({ ...DEFAULT_TRACE_LIMITS, ...limits })
  return { traces, ids: (caller = LOCAL_USER) => traces.list(caller, ALL).map((one) => one.trace_id) }
}

test('keeps events with their totals', () => {
  const { traces } = traced()
  traces.emit(event('t', 10, { rows: 3, bytes: 100 }))
  traces.emit({ ...event('t', 11, { catalog: 'shop' }), name: 'api_call' })
  traces.emit(event('t', 12, { ok: false, codes: 'unknown_plan' }))
  traces.emit({ name: 'request', at: 13, facts: { request: 'discover', principal: '["local"]', ok: true } })
  expect(traces.read(LOCAL_USER, 't')).toEqual({
    ok: true,
    value: {
      trace_id: 't',
      logical_session_id: 'session of t',
      status: 'live',
      started_at_ms: 10,
      ended_at_ms: null,
      totals: { requests: 2, refused: 1, api_calls: 1, effects: 0, rows: 3, bytes: 100, ms: 10 },
      records: [
        { seq: 1, at: 10, name: 'request', request: 'run', ok: true, ms: 5, rows: 3, bytes: 100 },
        { seq: 2, at: 11, name: 'api_call', request: 'run', ok: true, ms: 5, catalog: 'shop' },
        { seq: 3, at: 12, name: 'request', request: 'run', ok: false, ms: 5, codes: 'unknown_plan' },
      ],
    },
  })
})

test('shows no caller another caller’s trace', () => {
  const { traces, ids } = traced()
  traces.emit(event('t', 1))
  traces.emit(event('n', 1, {}, NOBODY))
  expect([ids(OTHER), ids(NOBODY)]).toEqual([[], []])
  const foreign = traces.read(OTHER, 't')
  expect(foreign).toEqual({ ok: false, problems: [expect.objectContaining({ code: 'unknown_trace' })] })
  expect(traces.follow(OTHER, 't', () => undefined).ok).toBe(false)
  expect(traces.read(NOBODY, 'n').ok).toBe(false)
})

test('old events and traces go, of the same principal', () => {
  const { traces, ids } = traced({ tracesPerPrincipal: 2, eventsPerTrace: 2 })
  traces.emit(event('other', 1, {}, OTHER))
  for (const [at, id] of ['a', 'b', 'a', 'a', 'c'].entries()) traces.emit(event(id, at + 2))
  expect([ids(), ids(OTHER)]).toEqual([['c', 'a'], ['other']])
  const a = traces.read(LOCAL_USER, 'a')
  expect(a.ok && a.value.records.map(({ seq }) => seq)).toEqual([2, 3])
  expect(a.ok && a.value.totals.requests).toBe(3)
})

test('a full memory evicts no trace of other principals', () => {
  const { traces, ids } = traced({ events: 3, idleMs: 100 })
  for (const at of [1, 2, 3]) traces.emit(event('a', at))
  traces.emit(event('b', 4, {}, OTHER))
  expect([ids(), ids(OTHER)]).toEqual([['a'], []])
  traces.emit(event('a', 5))
  const a = traces.read(LOCAL_USER, 'a')
  expect(a.ok && a.value.records.map(({ seq }) => seq)).toEqual([2, 3, 4])
  traces.emit(event('b', 200, {}, OTHER))
  expect([ids(), ids(OTHER)]).toEqual([[], ['b']])
})

test('a follower misses nothing and receives the end', () => {
  const { traces } = traced()
  traces.emit(event('t', 1))
  const messages: TraceMessage[] = []
  const followed = traces.follow(LOCAL_USER, 't', (message) => void messages.push(message))
  traces.emit(event('t', 2))
  traces.emit(event('t', 3, { request: 'close', closed: true }))
  expect(followed.ok).toBe(true)
  expect(messages.map(({ kind, seq }) => `${kind} ${seq}`)).toEqual([
    'snapshot 1',
    'patch 2',
    'patch 3',
    'terminal 3',
  ])
  expect(traces.list(LOCAL_USER, { ...ALL, status: 'completed' })).toMatchObject([{ ended_at_ms: 3 }])
  // Whoever comes later is told both at once; what happens after that opens the trace again.
  const late: string[] = []
  traces.follow(LOCAL_USER, 't', ({ kind }) => void late.push(kind))
  expect(late).toEqual(['snapshot', 'terminal'])
  traces.emit(event('t', 4))
  expect(traces.list(LOCAL_USER, { ...ALL, status: 'live' })).toHaveLength(1)
})

test('followers are counted and released', () => {
  const { traces } = traced({ streamsPerPrincipal: 1 })
  traces.emit(event('t', 1))
  const messages: string[] = []
  const first = traces.follow(LOCAL_USER, 't', ({ kind }) => void messages.push(kind))
  expect(traces.follow(LOCAL_USER, 't', () => undefined)).toMatchObject({
    problems: [{ code: 'too_many_streams' }],
  })
  if (first.ok) first.value()
  traces.emit(event('t', 2))
  expect(messages).toEqual(['snapshot'])
  expect(traces.follow(LOCAL_USER, 't', ({ kind }) => void messages.push(kind)).ok).toBe(true)
  traces.shutDown()
  expect(messages).toEqual(['snapshot', 'snapshot', 'terminal'])
  expect(traces.follow(LOCAL_USER, 't', () => undefined).ok).toBe(false)
})
