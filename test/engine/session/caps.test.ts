import { expect, test } from 'vitest'
import { LOCAL_USER, type Caller } from '../../../src/access/caller.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../src/engine/parts.ts'
import { shopUpstream } from '../shop-upstream.ts'
import { testEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const { api, wire } = await shopUpstream()
const signal = new AbortController().signal
const SEEDS = [{ api: 'shop', entity: 'Customer' }]

const program = (text: string) => ({ logical_session_ref: 's0', program: text })

/** A session `s0` under limits of the test. */
async function opened(limits: Partial<Limits>) {
  const engine = testEngine({ wire, limits: { ...DEFAULT_LIMITS, ...limits } })
  engine.swap(setOf(fixtureCatalog('shop', { origin: api.url })))
  const open = (intent: string, caller: Caller = LOCAL_USER) =>
    engine.gateway.context(caller, { intent, seeds: SEEDS })
  expect((await open('first')).ok).toBe(true)
  return {
    ...engine,
    open,
    plan: (text: string) => engine.gateway.plan(LOCAL_USER, program(text)),
    run: (text: string, more: object = {}) =>
      engine.gateway.run(LOCAL_USER, { ...program(text), ...more }, { signal }),
  }
}

test('one session too many is refused', async () => {
  const { open, gateway } = await opened({ sessionsPerPrincipal: 2 })
  expect((await open('second')).ok).toBe(true)
  expect(await open('third')).toMatchObject({
    ok: false,
    text: 'sessions_full: Limit reached: 2 sessions per caller. Close sessions that you no longer need, or continue in one of them.\n',
  })
  expect((await open('second')).ok).toBe(true)
  expect(
    (await open('third', { ...LOCAL_USER, principal: ['key', 'x'], tenantScope: ['key', 'x'] })).ok,
  ).toBe(true)
  await gateway.close(LOCAL_USER, 's0')
  expect((await open('third')).ok).toBe(true)
})

test('plans beyond the limit wait for old ones', async () => {
  const { plan, advance } = await opened({ plansPerSession: 1 })
  expect((await plan('e1("c1").delete()')).ok).toBe(true)
  expect(await plan('e1("c2").delete()')).toMatchObject({ ok: false, problems: [{ code: 'plans_full' }] })
  advance(DEFAULT_LIMITS.planLifeMs)
  expect((await plan('e1("c2").delete()')).ok).toBe(true)
})

test('a page that is not kept is reported', async () => {
  const { run } = await opened({ pagesPerSession: 1 })
  expect((await run('e1[id]')).text).toContain('page(s0_pg1)')
  const second = await run('e1[id]')
  expect(second).toMatchObject({ ok: true, facts: { problems: [{ code: 'pages_full' }] } })
  expect(second.text).toContain('the next page was not stored')
  expect(second.text).not.toContain('page(s0_pg')
})

test('a snapshot too big is reported, the rows are shown', async () => {
  const { run } = await opened({ snapshotBytes: 1000 })
  const reply = await run('e1.limit(2)[id, notes]')
  expect(reply).toMatchObject({
    ok: true,
    facts: { results: [{ rows: { length: 2 } }], problems: [{ code: 'snapshot_too_big' }] },
  })
  expect(reply.text).toContain('over the limit of 1000')
  expect(reply.text).not.toContain('plasm://')
})

test('a snapshot beyond the limit is reported', async () => {
  const { run } = await opened({ snapshotsPerSession: 1 })
  expect((await run('e1.limit(2)[id, notes]')).text).toContain('plasm://session/s0/r/1')
  expect(await run('e1.limit(2)[id, notes]')).toMatchObject({
    ok: true,
    facts: { problems: [{ code: 'snapshots_full' }] },
  })
})

test('nothing is sent that the ledger cannot hold', async () => {
  const { plan, run } = await opened({ effectsPerSession: 1 })
  for (const id of ['c1', 'c2']) expect((await plan(`e1("${id}").delete()`)).ok).toBe(true)
  expect((await run('e1("c1").delete()', { plan: 'pc1' })).ok).toBe(true)
  const before = api.requests.length
  expect(await run('e1("c2").delete()', { plan: 'pc2' })).toMatchObject({
    facts: {
      effects: [
        {
          state: 'not_sent',
          problem: { code: 'effects_full', message: expect.stringContaining('1 changes') },
        },
      ],
    },
  })
  expect(api.requests.length).toBe(before)
})

test('storage of one principal is capped over all sessions', async () => {
  const { run, plan, gateway } = await opened({ bytesPerPrincipal: 3000 })
  expect((await run('e1.limit(2)[id, notes]')).text).toContain('plasm://session/s0/r/1')
  expect((await plan('e1("c1").delete()')).ok).toBe(true)
  const second = await run('e1.limit(2)[id, notes]')
  expect(second).toMatchObject({ ok: true, facts: { results: [{ rows: { length: 2 } }] } })
  // Nothing may be added now, in this session and in others; what is there is there.
  const full = { problems: [{ code: 'bytes_full', message: expect.stringContaining('3000 bytes') }] }
  expect(await run('e1.limit(2)[id, notes]')).toMatchObject({ facts: full })
  expect(await plan('e1("c2").delete()')).toMatchObject({ ok: false, ...full })
  await gateway.context(LOCAL_USER, { intent: 'another', seeds: [{ api: 'shop', entity: 'Customer' }] })
  const other = { logical_session_ref: 's1', program: 'e1("c2").delete()' }
  expect(await gateway.plan(LOCAL_USER, other)).toMatchObject({ ok: false, ...full })
  expect((await gateway.snapshot(LOCAL_USER, 'plasm://session/s0/r/1')).ok).toBe(true)
  // A change that was reviewed before runs, and what became of it is kept without its rows.
  const done = await run('e1("c1").delete()', { plan: 'pc1' })
  expect(done.text).toContain('## delete')
  const told = await run('e1("c1").delete()', { plan: 'pc1' })
  expect(told).toMatchObject({
    facts: { results: [], effects: [{ state: 'done' }], problems: [{ code: 'rows_not_kept' }] },
  })
})
