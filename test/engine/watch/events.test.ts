import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import type { Event } from '../../../src/base/event.ts'
import { shopUpstream } from '../shop-upstream.ts'
import { testEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const { api, wire } = await shopUpstream()
const signal = new AbortController().signal
const SEEDS = [{ api: 'shop', entity: 'Customer' }]
const TRACE = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

function watched() {
  const events: Event[] = []
  const engine = testEngine({ wire, emit: (event) => void events.push(event) })
  engine.swap(setOf(fixtureCatalog('shop', { origin: api.url })))
  const open = (intent: string) => engine.gateway.context(LOCAL_USER, { intent, seeds: SEEDS })
  const run = (program: string, plan?: string) =>
    engine.gateway.run(LOCAL_USER, { logical_session_ref: 's0', program, plan }, { signal })
  return { ...engine, events, open, run }
}

test('each request is reported once it ended', async () => {
  const { events, open, gateway } = watched()
  await open('first')
  await open('first')
  await gateway.discover(LOCAL_USER, { intent: 'customers' })
  await gateway.context(LOCAL_USER, { intent: 'second', seeds: [{ api: 'shop', entity: 'Custommer' }] })
  const session = { trace_id: TRACE, logical_session_id: expect.any(String) }
  const common = { principal: '["local"]', ms: 0 }
  expect(events).toEqual([
    {
      name: 'request',
      at: 1_000_000,
      facts: {
        request: 'context',
        request_id: 1,
        ...common,
        ...session,
        ok: true,
        codes: '',
        reused: false,
        revision: 1,
      },
    },
    {
      name: 'request',
      at: 1_000_000,
      facts: {
        request: 'context',
        request_id: 2,
        ...common,
        ...session,
        ok: true,
        codes: '',
        reused: true,
        revision: 1,
      },
    },
    {
      name: 'request',
      at: 1_000_000,
      facts: { request: 'discover', request_id: 3, ...common, ok: true, codes: '', rows: expect.any(Number) },
    },
    {
      name: 'request',
      at: 1_000_000,
      facts: { request: 'context', request_id: 4, ...common, ok: false, codes: 'unknown_seed' },
    },
  ])
  expect(events[0]?.facts['trace_id']).toBe(events[1]?.facts['trace_id'])
})

test('a run reports its calls and effects', async () => {
  const { events, open, run, gateway } = watched()
  await open('first')
  await gateway.plan(LOCAL_USER, { logical_session_ref: 's0', program: 'e1("c1").delete()' })
  events.length = 0
  await run('e1("c1").delete()', 'pc1')
  const common = { request: 'run', request_id: 3, principal: '["local"]', trace_id: TRACE }
  const session = { logical_session_id: expect.any(String) }
  const where = { catalog: 'shop', capability: 'customer_delete' }
  expect(events.map(({ name, facts }) => ({ name, ...facts }))).toEqual([
    {
      name: 'api_call',
      ...common,
      ...session,
      ...where,
      method: 'DELETE',
      origin: new URL(api.url).origin,
      effect: true,
      ok: true,
      sent: 'yes',
      status: 204,
      requests: 1,
      bytes: 0,
      codes: '',
      ms: 0,
    },
    {
      name: 'effect',
      ...common,
      ...session,
      ...where,
      node: expect.any(String),
      row: 0,
      state: 'done',
      codes: '',
    },
    {
      name: 'request',
      ...common,
      ...session,
      ok: true,
      codes: '',
      results: expect.any(Number),
      rows: expect.any(Number),
      calls: 1,
      bytes: 0,
      effects: 1,
      ms: 0,
    },
  ])
})

test('a repeated plan reports no effect again', async () => {
  const { events, open, run, gateway } = watched()
  await open('first')
  await gateway.plan(LOCAL_USER, { logical_session_ref: 's0', program: 'e1("c1").delete()' })
  await run('e1("c1").delete()', 'pc1')
  events.length = 0
  await run('e1("c1").delete()', 'pc1')
  expect(events.map(({ name }) => name)).toEqual(['request'])
})

test('no event contains an intent, a value or a row', async () => {
  const { events, open, run } = watched()
  await open('a very private goal')
  await run('e1{tier=gold}.limit(2)[id, name]')
  await run('e1("very-private-id")[nothing_like_it]')
  const told = JSON.stringify(events)
  expect(told).toContain('customer')
  for (const secret of ['private', 'gold', 'Customer 1', 'nothing_like_it', '/v1/'])
    expect(told).not.toContain(secret)
})

test.each([
  [{}, 'internal_error'],
  [{ retryable: true }, 'unavailable'],
  [{ callerCode: 'store_replaced' }, 'store_replaced'],
])('an error with %j is reported and passed on', async (marks, code) => {
  const events: Event[] = []
  const { store } = testEngine()
  const error = Object.assign(new Error('the disk is gone'), marks)
  const broken = testEngine({
    emit: (event) => void events.push(event),
    store: { ...store, findByAddress: () => Promise.reject(error) },
  })
  await expect(broken.gateway.context(LOCAL_USER, { intent: 'x', seeds: SEEDS })).rejects.toThrow('disk')
  expect(events.map(({ facts }) => [facts['request'], facts['ok'], facts['codes']])).toEqual([
    ['context', false, code],
  ])
})
