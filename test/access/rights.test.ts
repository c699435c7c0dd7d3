import { beforeEach, describe, expect, test } from 'vitest'
import { callerOf, DEFAULT_RESOLUTION, type Caller } from '../../src/access/caller.ts'
import type { Identity } from '../../src/access/identity.ts'
import { NOTHING, readPolicy, type Rights } from '../../src/access/policy.ts'
import type { Reply } from '../../src/engine/contract.ts'
import { testEngine, type TestEngine } from '../engine/engines.ts'
import { fixtureCatalog, setOf } from '../engine/fixtures.ts'
import { shopUpstream } from '../engine/shop-upstream.ts'

const ISSUER = 'https://login.example'
const BOB: Identity = { from: 'jwt', issuer: ISSUER, tenant: 'acme', subject: 'bob' }
const ALICE: Identity = { ...BOB, subject: 'alice' }
const signal = new AbortController().signal
const HOUR = 3_600_000

const { api, wire } = await shopUpstream()
let engine: TestEngine
let rights: Rights

beforeEach(() => {
  engine = testEngine({ wire })
  engine.swap(setOf(fixtureCatalog('shop', { origin: api.url }), fixtureCatalog('library')))
  rights = rightsOf({})
})

/** Of acme's callers, by their entry in a policy. */
function rightsOf(entry: object): Rights {
  const policy = readPolicy({ callers: [{ from: ISSUER, tenant: 'acme', ...entry }] }, 'policy', Date.parse)
  if (!policy.ok) throw new Error(JSON.stringify(policy.problems))
  return policy.value.rightsOf(BOB)
}
const NO_SHOP = { catalogs: { library: null } }
const only = (...capabilities: string[]) => ({ catalogs: { library: null, shop: { capabilities } } })

const as = (identity: Identity, sessionScope: 'principal' | 'tenant' = 'principal'): Caller =>
  callerOf(identity, { ...DEFAULT_RESOLUTION, sessionScope }, () => rights)
const bob = as(BOB)

const SEEDS = ['Customer', 'Order'].map((entity) => ({ api: 'shop', entity }))
const open = (caller: Caller = bob, intent = 'shop', seeds: readonly object[] = SEEDS) =>
  engine.gateway.context(caller, { intent, seeds })
const run = (program: string, more: object = {}, caller: Caller = bob) =>
  engine.gateway.run(caller, { logical_session_ref: 's0', program, ...more }, { signal })
const codes = (reply: Reply<unknown>) => (reply.ok ? [] : reply.problems.map(({ code }) => code))

const snapshot = () => engine.gateway.snapshot(bob, 'plasm://session/s0/r/1')
const effects = (effect: string) =>
  rightsOf({ catalogs: { shop: { capability_effects: { customer_delete: effect } } } })

async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  const before = api.requests.length
  await work()
  return api.requests.length - before
}

describe('a catalog that the caller may not use', () => {
  beforeEach(() => void (rights = rightsOf(NO_SHOP)))

  test('is in no list and no answer', async () => {
    const registry = await engine.gateway.registry(bob)
    expect(registry.ok && registry.facts.entries.map((entry) => entry.entry_id)).toEqual(['library'])
    const found = await engine.gateway.discover(bob, { intent: 'customers and orders of the shop' })
    expect(found.text).not.toMatch(/\bshop\b/)
    // Neither does the hint of a near name give it away.
    for (const name of ['shop', 'Shop', 'shpo']) {
      const reply = await open(bob, 'x', [{ api: name, entity: 'Customer' }])
      expect(codes(reply)).toEqual(['unknown_api'])
      expect(reply.ok ? [] : reply.problems[0]?.nearest).toEqual([])
    }
  })

  test('cannot be named to discovery', async () => {
    const found = await engine.gateway.discover(bob, { intent: 'customers', allowed_entry_ids: ['shop'] })
    expect(codes(found)).toEqual(['unknown_api'])
  })
})

describe('a capability that the caller may not use', () => {
  beforeEach(() => void (rights = rightsOf(only('customer_get', 'customer_delete'))))

  test('is neither taught nor callable', async () => {
    expect(codes(await open())).toEqual(['unknown_seed'])
    const { text } = await open(bob, 'shop', SEEDS.slice(0, 1))
    expect(text).toContain('e1($)')
    expect(text).not.toContain('e1.search(')
    const sent = await requestsOf(async () => {
      expect((await run('Customer')).ok).toBe(false)
      expect((await run('Customer("c1")[name]')).ok).toBe(true)
    })
    expect(sent).toBe(1)
  })

  test('is not counted', async () => {
    const registry = await engine.gateway.registry(bob)
    expect(
      registry.ok && registry.facts.entries.find(({ entry_id: id }) => id === 'shop')?.capabilities,
    ).toBe(2)
  })
})

describe('a right that is taken back', () => {
  beforeEach(() => open())

  test('ends programs of an open session', async () => {
    rights = rightsOf(NO_SHOP)
    expect(await requestsOf(async () => expect((await run('Customer[id]')).ok).toBe(false))).toBe(0)
  })

  test('ends between two pages', async () => {
    expect((await run('Customer[id]')).text).toContain('page(s0_pg1)')
    rights = rightsOf(NO_SHOP)
    const sent = await requestsOf(async () => {
      for (const reply of [await run('page(s0_pg1)'), await engine.gateway.page(bob, 's0_pg1', { signal })]) {
        expect(reply.text).toContain('not_allowed')
        expect(reply.text).not.toMatch(/\bc\d\b/)
      }
    })
    expect(sent).toBe(0)
    rights = rightsOf({})
    expect((await run('page(s0_pg1)')).text).toContain('c4')
  })

  test('ends between plan and run', async () => {
    const program = 'Customer("c1").delete()'
    expect((await engine.gateway.plan(bob, { logical_session_ref: 's0', program })).ok).toBe(true)
    rights = rightsOf(only('customer_get'))
    expect(await requestsOf(async () => expect((await run(program, { plan: 'pc1' })).ok).toBe(false))).toBe(0)
    rights = rightsOf({})
    expect(await requestsOf(async () => expect((await run(program, { plan: 'pc1' })).ok).toBe(true))).toBe(1)
  })

  test('ends a run between two of its calls', async () => {
    const asked: string[] = []
    const caller = callerOf(BOB, DEFAULT_RESOLUTION, () => ({
      ...rights,
      mayUseCapability: (catalog, capability) => {
        asked.push(`${catalog}:${capability}`)
        return api.requests.length === before
      },
    }))
    const before = api.requests.length
    const reply = await run('n = Customer.aggregate(n=count)\nn', {}, caller)
    expect(api.requests.length).toBe(before + 1)
    expect(reply.text).toContain('not_allowed')
    expect(asked.length).toBeGreaterThan(1)
  })

  test.each([
    ['the catalog', NO_SHOP],
    ['the capability', only('customer_get')],
  ])('closes snapshots with %s', async (_, entry) => {
    await run('Customer.limit(2)[id, notes]')
    expect((await snapshot()).text).toContain('c1')
    rights = rightsOf(entry)
    expect(codes(await snapshot())).toEqual(['unknown_snapshot'])
    rights = rightsOf({})
    expect((await snapshot()).ok).toBe(true)
  })

  test('closes snapshots of computed rows', async () => {
    const computed = 'n = Customer.group_by(notes, n=count)\nn'
    const reply = await run(computed)
    expect(reply.text).toContain('plasm://session/s0/r/1')
    rights = rightsOf(NO_SHOP)
    expect(codes(await engine.gateway.snapshot(bob, 'plasm://session/s0/r/1'))).toEqual(['unknown_snapshot'])
  })

  test('closes what a spent plan came to', async () => {
    const program = 'Customer("c1")[name]'
    await engine.gateway.plan(bob, { logical_session_ref: 's0', program })
    expect((await run(program, { plan: 'pc1' })).text).toContain('Customer 1')
    rights = rightsOf(NO_SHOP)
    expect((await run(program, { plan: 'pc1' })).text).not.toContain('Customer 1')
  })

  test('hides rows and renumbers nothing', async () => {
    await open(bob, 'shop', [{ api: 'library', entity: 'Book' }])
    rights = rightsOf(NO_SHOP)
    const table = await engine.gateway.table(bob, 's0')
    expect(table.text).toContain('\ne3(isbn=$)')
    expect(table.text).not.toMatch(/\be[12]\b|Customer|Order/)
    expect(table.ok && table.facts.entities).toEqual([
      { symbol: 'e3', api: 'library', entity: 'Book', live: true },
    ])
    const again = await engine.gateway.context(bob, { intent: 'shop', have: 'none' })
    expect(again.text).not.toMatch(/\be[12]\(|Customer/)
    rights = rightsOf({})
    expect((await engine.gateway.table(bob, 's0')).text).toContain('\ne1($)')
  })
})

describe('changes', () => {
  const program = 'Customer("c1").delete()'
  const plan = () => engine.gateway.plan(bob, { logical_session_ref: 's0', program })
  beforeEach(() => open())

  test('run without a plan where allowed', async () => {
    rights = effects('allow')
    expect(await requestsOf(async () => expect((await run(program)).ok).toBe(true))).toBe(1)
  })

  test('are refused where denied, reads are not', async () => {
    rights = effects('deny')
    expect(codes(await plan())).toEqual(['effect_denied'])
    expect(codes(await run(program))).toEqual(['effect_denied'])
    expect((await run('Customer("c1")[name]')).ok).toBe(true)
  })

  test('are denied after they were reviewed', async () => {
    await plan()
    rights = effects('deny')
    expect(
      await requestsOf(async () =>
        expect(codes(await run(program, { plan: 'pc1' }))).toEqual(['effect_denied']),
      ),
    ).toBe(0)
  })

  test('wait for a person where they must be confirmed', async () => {
    rights = effects('confirm')
    expect(codes(await run(program))).toEqual(['plan_required'])
    await plan()
    const refused = await run(program, { plan: 'pc1' })
    expect(codes(refused)).toEqual(['not_confirmed'])
    const code = refused.ok ? '' : refused.confirm?.code
    const input = { logical_session_ref: 's0', program, plan: 'pc1' }
    const confirmed = () => engine.gateway.run(bob, input, { signal, confirmed: code ?? '' })
    rights = effects('deny')
    expect(codes(await confirmed())).toEqual(['effect_denied'])
    rights = effects('confirm')
    expect(await requestsOf(confirmed)).toBe(1)
  })
})

describe('two principals of one tenant', () => {
  test('share nothing by default', async () => {
    await open()
    await run('Customer.limit(2)[id, notes]')
    const alice = as(ALICE)
    expect(codes(await run('Customer', {}, alice))).toEqual(['unknown_session'])
    expect((await open(alice)).text).toContain('plasm_expr')
    expect(codes(await engine.gateway.snapshot(alice, 'plasm://session/s0/r/1'))).toEqual([
      'unknown_snapshot',
    ])
    const refs = await Promise.all(
      [bob, alice].map(async (caller) => {
        const listed = await engine.gateway.sessions(caller)
        return listed.ok ? listed.facts.sessions.map(({ longRef }) => longRef) : []
      }),
    )
    expect(new Set(refs.flat()).size).toBe(2)
  })

  test('miss the long ref of the other', async () => {
    const opened = await open()
    const ref = opened.ok ? opened.facts.longRef : ''
    const foreign = await engine.gateway.session(as(ALICE), ref)
    const unknown = await engine.gateway.session(as(ALICE), `l_${'A'.repeat(22)}`)
    expect(foreign.text.replace(ref, 'REF')).toBe(unknown.text.replace(`l_${'A'.repeat(22)}`, 'REF'))
  })

  test('share symbols, not results, where told so', async () => {
    const [first, second] = [as(BOB, 'tenant'), as(ALICE, 'tenant')]
    const opened = await open(first)
    await run('Customer.limit(2)[id, notes]', {}, first)
    await engine.gateway.plan(first, { logical_session_ref: 's0', program: 'Customer("c1")[name]' })
    const joined = await open(second)
    expect([joined.ok && joined.facts.longRef, joined.ok && joined.facts.reused]).toEqual([
      opened.ok && opened.facts.longRef,
      true,
    ])
    expect(joined.text).toContain('plasm_expr')
    expect(codes(await engine.gateway.snapshot(second, 'plasm://session/s0/r/1'))).toEqual([
      'unknown_snapshot',
    ])
    expect(codes(await run('Customer("c1")[name]', { plan: 'pc1' }, second))).toEqual(['unknown_plan'])
    await run('Customer[id]', {}, first)
    expect((await run('page(s0_pg1)', {}, second)).text).toContain('page_unknown')
  })
})

describe('somebody whom nothing proves', () => {
  let names = 0
  const nobody = () => as({ from: 'anonymous', name: `random ${++names}` })
  const runs = (ref: string, program: string) =>
    engine.gateway.run(nobody(), { logical_session_ref: ref, program }, { signal })

  test('gets a new session for the same intent', async () => {
    const [one, two] = [await open(nobody()), await open(nobody())]
    const refs = [one, two].map((reply) => (reply.ok ? reply.facts.longRef : ''))
    expect(new Set(refs).size).toBe(2)
    expect(one.text.split('\n')[0]).toBe(`\`${refs[0]}\``)
    expect(one.ok && one.meta['logical_session_ref']).toBe(refs[0])
    expect(two.text).toContain('plasm_expr')
  })

  test('goes on by the long ref alone', async () => {
    const opened = await open(nobody())
    const ref = opened.ok ? opened.facts.longRef : ''
    const first = await runs(ref, 'Customer[id]')
    expect(first.text).toContain('page(s0_pg1)')
    expect((await runs(ref, 'page(s0_pg1)')).text).toContain('c4')
    const extended = await engine.gateway.context(nobody(), {
      intent: 'shop',
      logical_session_ref: ref,
      seeds: [{ api: 'shop', entity: 'Product' }],
    })
    expect(extended.text).toContain(`\`${ref}\`\n\n\`\`\`tsv\n`)
    expect(extended.text).toContain('\ne3($)')
    const cut = await runs(ref, 'Customer.limit(2)[id, notes]')
    expect(cut.text).toContain(`plasm://session/${ref}/r/1`)
    expect((await engine.gateway.snapshot(nobody(), `plasm://session/${ref}/r/1`)).ok).toBe(true)
  })

  test('finds nothing by a short name', async () => {
    const opened = await open(nobody())
    const ref = opened.ok ? opened.facts.longRef : ''
    expect(codes(await runs('s0', 'Customer'))).toEqual(['unknown_session'])
    expect(codes(await engine.gateway.session(nobody(), 's0'))).toEqual(['unknown_session'])
    expect(codes(await engine.gateway.snapshot(nobody(), 'plasm://session/s0/r/1'))).toEqual([
      'unknown_session',
    ])
    const listed = await engine.gateway.sessions(nobody())
    expect(listed.ok && listed.facts.sessions).toEqual([])
    expect(codes(await runs(`l_${'A'.repeat(22)}`, 'Customer'))).toEqual(['unknown_session'])
    expect(codes(await engine.gateway.session(bob, ref))).toEqual(['unknown_session'])
  })

  test('leaves nothing behind for long', async () => {
    const opened = await open(nobody())
    const ref = opened.ok ? opened.facts.longRef : ''
    engine.advance(HOUR - 1)
    expect((await engine.gateway.session(nobody(), ref)).ok).toBe(true)
    engine.advance(1)
    expect(codes(await engine.gateway.session(nobody(), ref))).toEqual(['unknown_session'])
  })

  test('closes a session by its long ref', async () => {
    const opened = await open(nobody())
    const ref = opened.ok ? opened.facts.longRef : ''
    expect((await engine.gateway.close(nobody(), ref)).text).toBe(`Closed \`${ref}\`.\n`)
    expect(codes(await runs(ref, 'Customer'))).toEqual(['unknown_session'])
  })
})

test('nobody with no rights learns anything', async () => {
  await open()
  await run('Customer.limit(2)[id, notes]')
  rights = NOTHING
  const replies = [
    await engine.gateway.registry(bob),
    await engine.gateway.discover(bob, { intent: 'customers of the shop' }),
    await engine.gateway.table(bob, 's0'),
    await engine.gateway.session(bob, 's0'),
    await engine.gateway.snapshot(bob, 'plasm://session/s0/r/1'),
    await run('Customer'),
    await open(),
  ]
  for (const reply of replies) expect(JSON.stringify(reply)).not.toMatch(/customer_|Customer \d|person/i)
})
