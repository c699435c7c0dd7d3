import { beforeEach, describe, expect, test } from 'vitest'
import { LOCAL_USER, type Caller } from '../../../src/access/caller.ts'
import type { Reply } from '../../../src/engine/contract.ts'
import type { Parts } from '../../../src/engine/parts.ts'
import { shopUpstream } from '../shop-upstream.ts'
import { testEngine, type TestEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const { api, wire } = await shopUpstream()
let engine: TestEngine
const signal = new AbortController().signal

beforeEach(() => opened())

/** A session `s0` that knows customers and orders of the shop. */
async function opened(changes: Partial<Parts> = {}): Promise<void> {
  engine = testEngine({ wire, ...changes })
  engine.swap(setOf(fixtureCatalog('shop', { origin: api.url })))
  const seeds = ['Customer', 'Order', 'Product'].map((entity) => ({ api: 'shop', entity }))
  const reply = await engine.gateway.context(LOCAL_USER, { intent: 'shop', seeds })
  expect(reply.ok).toBe(true)
}

const run = (program: string, more: object = {}, caller: Caller = LOCAL_USER) =>
  engine.gateway.run(caller, { logical_session_ref: 's0', program, ...more }, { signal })
const plan = (program: string) => engine.gateway.plan(LOCAL_USER, { logical_session_ref: 's0', program })
const codes = (reply: Reply<unknown>) => (reply.ok ? [] : reply.problems.map(({ code }) => code))

/** How many requests the API saw while `work` ran. */
async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  const before = api.requests.length
  await work()
  return api.requests.length - before
}

describe('a read', () => {
  test('answers with header, table and handle', async () => {
    const reply = await run('c = Customer{tier=gold}[id, name]\nc')
    expect(reply.text).toBe(`## c (3 rows, more there)

\`\`\`tsv
id\tname
c1\tCustomer 1
c2\tCustomer 2
c3\tCustomer 3
\`\`\`

more pages available - use \`page(s0_pg1)\` for the next page.
`)
    expect(reply.ok && reply.meta).toEqual({
      logical_session_ref: 's0',
      steps: [{ return_label: 'c', row_count: 3, partial: 'more_pages' }],
      paging: [{ return_label: 'c', has_more: true, count: 3, next_page_handle: 's0_pg1' }],
    })
  })

  test('gives the same page for the same handle', async () => {
    await run('Customer[id]')
    const [once, again] = [await run('page(s0_pg1)'), await run('page(s0_pg1)')]
    expect(once.text).toContain('c4')
    expect(again.text.replaceAll(/s0_pg\d+/g, '')).toBe(once.text.replaceAll(/s0_pg\d+/g, ''))
    const byHandle = await engine.gateway.page(LOCAL_USER, 's0_pg1', { signal })
    expect(byHandle.text).toContain('c4')
  })

  test('aggregates over every page', async () => {
    expect((await run('n = Customer.aggregate(n=count)\nn')).text).toContain('\nn\n7\n')
  })

  test('keeps a snapshot of what the text cuts', async () => {
    const reply = await run('Customer.limit(2)[id, notes]')
    expect(reply.text).toContain('… (1000 characters)')
    expect(reply.text).toContain('`plasm://session/s0/r/1`')
    const snapshot = await engine.gateway.snapshot(LOCAL_USER, 'plasm://session/s0/r/1')
    expect(snapshot.ok && snapshot.facts.results).toEqual([
      expect.objectContaining({ rows: [{ id: 'c1', notes: 'word '.repeat(200) }, expect.anything()] }),
    ])
  })

  test('needs no plan, and takes one', async () => {
    const reviewed = await plan('Customer("c1")[name]')
    expect(reviewed.text).toBe(
      '```text\nplan ok · 2n 1r → c1 · pc1\n\n01 r1           get shop.Customer (id="c1")\n02 c1           project name ← r1\n```\n',
    )
    expect((await run('Customer("c1")[name]', { plan: 'pc1' })).text).toContain('Customer 1')
  })
})

describe('a program that is wrong', () => {
  test.each([
    ['', ['missing_program']],
    ['Custmer', ['unknown_entity']],
    ['Customer{tier=golden}', ['bad_value']],
    ['Customer[nme]', ['unknown_field']],
  ])('%j sends nothing', async (program, expected) => {
    let reply: Reply<unknown> | undefined
    expect(await requestsOf(async () => (reply = await run(program)))).toBe(0)
    expect(reply && codes(reply)).toHaveLength(expected.length)
    expect(reply?.ok).toBe(false)
  })

  test.each([
    ['s9', ['unknown_session']],
    ['session', ['bad_ref']],
  ])('names session %s that is not there', async (logical_session_ref, expected) => {
    const reply = await engine.gateway.run(
      LOCAL_USER,
      { logical_session_ref, program: 'Customer' },
      { signal },
    )
    expect(codes(reply)).toEqual(expected)
  })

  test('is refused after the row expired', async () => {
    engine.advance(3_600_000)
    expect(codes(await run('Customer'))).toEqual(['session_expired'])
    await engine.gateway.context(LOCAL_USER, { intent: 'shop', have: 'none' })
    expect((await run('Customer')).ok).toBe(true)
  })
})

describe('a write', () => {
  const program = 'Customer("c1").delete()'

  test('is refused without a plan, and sends nothing', async () => {
    let reply: Reply<unknown> | undefined
    expect(await requestsOf(async () => (reply = await run(program)))).toBe(0)
    expect(reply && codes(reply)).toEqual(['plan_required'])
  })

  test('runs once from its plan, whatever is delivered twice', async () => {
    const reviewed = await plan(program)
    expect(reviewed.text).toContain('warn: writes shop:customer_delete')
    const replies: Reply<unknown>[] = []
    const sent = await requestsOf(async () => {
      replies.push(await run(program, { plan: 'pc1' }), await run(program, { plan: 'pc1' }))
    })
    expect(sent).toBe(1)
    expect(replies[1]).toEqual(replies[0])
    expect(replies[0]?.text).toContain('_Changes: 1 done._')
  })

  test('runs once from its plan, when both arrive at once', async () => {
    await plan(program)
    const replies: Reply<unknown>[] = []
    const sent = await requestsOf(async () => {
      replies.push(...(await Promise.all([run(program, { plan: 'pc1' }), run(program, { plan: 'pc1' })])))
    })
    expect(sent).toBe(1)
    expect(replies.map((reply) => codes(reply).join()).toSorted()).toEqual(['', 'plan_running'])
  })

  test('does not run from a plan of another program', async () => {
    await plan('Customer("c2").delete()')
    expect(codes(await run(program, { plan: 'pc1' }))).toEqual(['plan_differs'])
    expect(codes(await run(program, { plan: 'pc7' }))).toEqual(['unknown_plan'])
    expect(codes(await run(program, { plan: 'mine' }))).toEqual(['unknown_plan'])
  })

  test('does not run from a plan after ten minutes', async () => {
    await plan(program)
    engine.advance(600_000)
    expect(codes(await run(program, { plan: 'pc1' }))).toEqual(['unknown_plan'])
  })

  test('does not run from another caller’s plan', async () => {
    const shared = { tenantScope: ['tenant', 'acme'] }
    const ann: Caller = { ...LOCAL_USER, ...shared, principal: ['user', 'ann'] }
    const bob: Caller = { ...LOCAL_USER, ...shared, principal: ['user', 'bob'] }
    for (const caller of [ann, bob]) {
      await engine.gateway.context(caller, { intent: 'shop', seeds: [{ api: 'shop', entity: 'Customer' }] })
    }
    await engine.gateway.plan(ann, { logical_session_ref: 's0', program })
    expect(codes(await run(program, { plan: 'pc1' }, bob))).toEqual(['unknown_plan'])
    expect(codes(await run(program, { plan: 'pc1' }, ann))).toEqual([])
  })

  test('runs without a plan where the operator allows it', async () => {
    await opened({ effectPolicy: () => 'allow' })
    expect((await run(program)).text).toContain('_Changes: 1 done._')
  })

  test('is refused, planned or not, where the operator denies it', async () => {
    await opened({ effectPolicy: () => 'deny' })
    expect(codes(await plan(program))).toEqual(['effect_denied'])
    expect(codes(await run(program))).toEqual(['effect_denied'])
  })
})
