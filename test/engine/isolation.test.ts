import { describe, expect, test, vi } from 'vitest'
import { type Caller, callerOf, DEFAULT_RESOLUTION, LOCAL_USER } from '../../src/access/caller.ts'
import type { Identity } from '../../src/access/identity.ts'
import { EVERYTHING } from '../../src/access/policy.ts'
import { memoryStore } from '../../src/adapters/stores/memory.ts'
import type { Reply } from '../../src/engine/contract.ts'
import { DEFAULT_LIMITS, type Parts } from '../../src/engine/parts.ts'
import type { Store } from '../../src/engine/store.ts'
import { shopUpstream } from './shop-upstream.ts'
import { testEngine, type TestEngine } from './engines.ts'
import { fixtureCatalog, setOf } from './fixtures.ts'

// Every cache of the process holds two things: what one caller reads pushes out what another one read.
vi.mock(import('lru-cache'), async (original) => {
  const { LRUCache, ...others } = await original()
  const small = new Proxy(LRUCache, {
    construct: (target, _options, made) => Reflect.construct(target, [{ max: 2 }], made),
  })
  return { ...others, LRUCache: small }
})

const signal = new AbortController().signal
const NFC = 'caf\u00e9'

/** Names that are alike: in parts that could be joined otherwise, in their spelling, and in saying nobody. */
const ALIKE: Record<string, Identity> = {
  'a + bc': { from: 'key', tenant: 'a', subject: 'bc' },
  'ab + c': { from: 'key', tenant: 'ab', subject: 'c' },
  composed: { from: 'key', tenant: NFC, subject: 'ann' },
  decomposed: { from: 'key', tenant: NFC.normalize('NFD'), subject: 'ann' },
  'no tenant': { from: 'key', subject: 'ann' },
  'a tenant called anonymous': { from: 'key', tenant: 'anonymous', subject: 'anonymous' },
  'a subject called anonymous': { from: 'key', subject: 'anonymous' },
  nobody: { from: 'anonymous', name: 'n1' },
  'nobody else': { from: 'anonymous', name: 'n2' },
  'one issuer': { from: 'jwt', issuer: 'https://one.example', tenant: 'acme', subject: 'ann' },
  'another issuer': { from: 'jwt', issuer: 'https://two.example', tenant: 'acme', subject: 'ann' },
  'another of that tenant': { from: 'jwt', issuer: 'https://one.example', tenant: 'acme', subject: 'bob' },
  'the local user': { from: 'local' },
}

const caller = (identity: Identity, sessionScope: 'principal' | 'tenant' = 'principal') =>
  callerOf(identity, { ...DEFAULT_RESOLUTION, sessionScope }, () => EVERYTHING)

const { api, wire } = await shopUpstream()

function engineOf(changes: Partial<Parts> = {}): TestEngine {
  const engine = testEngine({ wire, ...changes })
  engine.swap(setOf(fixtureCatalog('shop', { origin: api.url }), fixtureCatalog('library')))
  return engine
}

const seeds = (...names: readonly string[]) =>
  names.map((name) => ({ api: name.split(':')[0], entity: name.split(':')[1] }))

/** A day's work of one caller: every kind of thing that is kept, and every answer, word for word. */
async function work({ gateway }: TestEngine, who: Caller, nth = 0): Promise<readonly string[]> {
  const texts: string[] = []
  const say = <Facts>(reply: Reply<Facts>): Reply<Facts> => {
    texts.push(JSON.stringify([reply.ok, reply.text, reply.ok ? reply.meta : reply.problems]))
    return reply
  }
  const opened = say(await gateway.context(who, { intent: 'goal', seeds: seeds('shop:Customer') }))
  const ref = opened.ok ? opened.facts.logicalSessionRef : ''
  const session = { logical_session_ref: ref }
  const run = async (program: string, more: object = {}) =>
    say(await gateway.run(who, { ...session, program, ...more }, { signal }))
  // The same goals, and not the same symbols.
  const own = ['library:Book', 'library:Copy', 'shop:Order', 'shop:Product', 'shop:OrderLine'][nth % 5] ?? ''
  say(await gateway.context(who, { ...session, seeds: seeds(own, 'library:Order') }))
  say(await gateway.context(who, { ...session, have: 'e1' }))
  await run('e1[id, notes]')
  await run('page(s0_pg1)')
  await run('page(s0_pg1)')
  say(await gateway.snapshot(who, `plasm://session/${ref}/r/1`))
  say(await gateway.plan(who, { ...session, program: 'e1("c1").delete()' }))
  await run('e1("c1").delete()')
  await run('e1("c1").delete()', { plan: 'pc1' })
  await run('e1("c1").delete()', { plan: 'pc1' })
  say(await gateway.context(who, { intent: 'second goal', seeds: seeds('shop:Customer', 'shop:Order') }))
  say(await gateway.context(who, { intent: 'part', fork_of: ref }))
  say(await gateway.session(who, ref))
  say(await gateway.table(who, ref))
  say(await gateway.sessions(who))
  say(await gateway.close(who, ref))
  await run('e1')
  return texts
}

describe('answers beside others', () => {
  test('are those that each gets alone, under alike names and with caches of two', async () => {
    const callers = Object.values(ALIKE).map((identity) => caller(identity))
    const alone: (readonly string[])[] = []
    for (const [nth, who] of callers.entries()) alone.push(await work(engineOf(), who, nth))
    const shared = engineOf()
    expect(await Promise.all(callers.map((who, nth) => work(shared, who, nth)))).toEqual(alone)
    expect(alone.every((texts) => texts.filter((text) => text.startsWith('[true')).length >= 13)).toBe(true)
  })

  test('are those that each gets alone, where one is at every cap', async () => {
    const limits = {
      ...DEFAULT_LIMITS,
      sessionsPerPrincipal: 4,
      plansPerSession: 3,
      pagesPerSession: 5,
      snapshotsPerSession: 3,
      effectsPerSession: 2,
      wavesPerSession: 5,
      entitiesPerSession: 5,
      bytesPerPrincipal: 40_000,
    }
    const [greedy, modest] = [ALIKE['one issuer'], ALIKE['another of that tenant']].map(
      (identity) => identity && caller(identity),
    )
    if (!greedy || !modest) throw new Error('wanted two')
    const alone = await work(engineOf({ limits }), modest)
    const shared = engineOf({ limits })
    const { gateway } = shared
    const refusals = new Set<string>()
    const fill = async () => {
      const replies = [
        ...(await Promise.all(
          Array.from({ length: 6 }, (_, at) =>
            gateway.context(greedy, { intent: `goal ${at}`, seeds: seeds('shop:Customer') }),
          ),
        )),
        ...(await Promise.all(
          ['e1[id, notes]', 'e1[id]', 'e1[notes]', 'e1[notes, id]', 'e1[notes, name]', 'e1[name]'].map(
            (program) => gateway.run(greedy, { logical_session_ref: 's0', program }, { signal }),
          ),
        )),
        ...(await Promise.all(
          Array.from({ length: 5 }, (_, at) =>
            gateway.plan(greedy, { logical_session_ref: 's1', program: `e1("c${at}").delete()` }),
          ),
        )),
        await gateway.context(greedy, {
          logical_session_ref: 's0',
          seeds: seeds('shop:Order', 'shop:Product', 'shop:OrderLine', 'library:Book', 'library:Copy'),
        }),
      ]
      for (const reply of replies)
        for (const { code } of reply.ok ? problemsOf(reply.facts) : reply.problems) refusals.add(code)
    }
    await fill()
    const [texts] = await Promise.all([work(shared, modest), fill(), fill()])
    expect(texts).toEqual(alone)
    const caps = ['sessions_full', 'plans_full', 'pages_full', 'snapshots_full', 'session_full']
    expect([...refusals]).toEqual(expect.arrayContaining(caps))
  })
})

function problemsOf(facts: object): readonly { readonly code: string }[] {
  return 'problems' in facts && Array.isArray(facts.problems) ? facts.problems : []
}

describe('handles of others', () => {
  test('lead nowhere, in one tenant and in a session that it shares', async () => {
    const { gateway } = engineOf()
    const [ann, bob] = [ALIKE['one issuer'], ALIKE['another of that tenant']].map(
      (identity) => identity && caller(identity, 'tenant'),
    )
    if (!ann || !bob) throw new Error('wanted two')
    const call = { intent: 'goal', seeds: seeds('shop:Customer') }
    const [first, second] = [await gateway.context(ann, call), await gateway.context(bob, call)]
    expect(first.ok && second.ok && first.facts.longRef === second.facts.longRef).toBe(true)
    const s0 = { logical_session_ref: 's0' }
    const run = (who: Caller, program: string, more: object = {}) =>
      gateway.run(who, { ...s0, program, ...more }, { signal })
    expect((await run(ann, 'e1[id, notes]')).text).toMatch(/r\/1[^]*s0_pg1/)
    await gateway.plan(ann, { ...s0, program: 'e1("c1").delete()' })
    await run(ann, 'e1("c1").delete()', { plan: 'pc1' })
    const sent = api.requests.length
    const same = (one: Reply<unknown>, other: Reply<unknown>, from: string, to: string) =>
      expect(JSON.stringify(one).replaceAll(from, to)).toBe(JSON.stringify(other))
    same(await run(bob, 'page(s0_pg1)'), await run(bob, 'page(s0_pg9)'), 'pg1', 'pg9')
    const snapshot = (number: number) => gateway.snapshot(bob, `plasm://session/s0/r/${number}`)
    same(await snapshot(1), await snapshot(9), 'r/1', 'r/9')
    const spent = (plan: string) => run(bob, 'e1("c1").delete()', { plan })
    same(await spent('pc1'), await spent('pc9'), 'pc1', 'pc9')
    expect(api.requests.length).toBe(sent)
    // Numbers are each principal's own: nothing shows how much another one did.
    expect((await run(bob, 'e1[id, notes]')).text).toMatch(/r\/1[^]*s0_pg1/)
    expect((await gateway.plan(bob, { ...s0, program: 'e1("c1").delete()' })).text).toContain('`pc1`')
  })
})

describe('refs of others', () => {
  /** A store that writes down how it is visited. */
  function counting() {
    const kept = memoryStore({ clock: { now: () => 1_000_000 } })
    const visits: string[] = []
    const store: Store = new Proxy(kept, {
      get: (target, name: keyof Store) => {
        const visited = target[name]
        return typeof visited !== 'function'
          ? visited
          : (...given: readonly unknown[]) => (visits.push(name), Reflect.apply(visited, target, given))
      },
    })
    return { store, visits }
  }

  test('are missed like unknown refs: in the same bytes, by one keyed look-up', async () => {
    const { store, visits } = counting()
    const { gateway } = engineOf({ store })
    const [ann, eve] = [ALIKE['one issuer'], ALIKE['another issuer']].map(
      (identity) => identity && caller(identity),
    )
    if (!ann || !eve) throw new Error('wanted two')
    const opened = await gateway.context(ann, { intent: 'goal', seeds: seeds('shop:Customer') })
    const foreign = opened.ok ? opened.facts.longRef : ''
    const program = 'e1("c1").delete()'
    const ways: Record<string, (ref: string) => Promise<Reply<unknown>>> = {
      context: (ref) => gateway.context(eve, { logical_session_ref: ref, seeds: seeds('shop:Customer') }),
      'context by have': (ref) => gateway.context(eve, { logical_session_ref: ref, have: 'e1' }),
      plan: (ref) => gateway.plan(eve, { logical_session_ref: ref, program }),
      run: (ref) => gateway.run(eve, { logical_session_ref: ref, program, plan: 'pc1' }, { signal }),
      session: (ref) => gateway.session(eve, ref),
      table: (ref) => gateway.table(eve, ref),
      close: (ref) => gateway.close(eve, ref),
      snapshot: (ref) => gateway.snapshot(eve, `plasm://session/${ref}/r/1`),
    }
    const nobodys = `l_${'A'.repeat(22)}`
    for (const [way, ask] of Object.entries(ways)) {
      const answers: string[] = []
      for (const ref of [foreign, nobodys, 's0', 's77']) {
        visits.length = 0
        const reply = await ask(ref)
        expect([way, ref, visits]).toEqual([way, ref, ['findByRef']])
        answers.push(JSON.stringify(reply).replaceAll(ref, 'REF'))
      }
      expect(new Set(answers).size, way).toBe(1)
      expect(answers[0]).toContain('unknown_session')
    }
    visits.length = 0
    expect((await gateway.page(eve, 's0_pg1', { signal })).ok).toBe(false)
    expect(visits).toEqual(['findByRef'])
    expect(await gateway.session(ann, foreign)).toMatchObject({ ok: true })
  })

  test('no fork begins with the session of another', async () => {
    const { store, visits } = counting()
    const { gateway } = engineOf({ store })
    const opened = await gateway.context(LOCAL_USER, { intent: 'goal', seeds: seeds('shop:Customer') })
    const foreign = opened.ok ? opened.facts.longRef : ''
    const eve = caller({ from: 'key', subject: 'eve' })
    const answers: string[] = []
    for (const ref of [foreign, `l_${'A'.repeat(22)}`]) {
      visits.length = 0
      const reply = await gateway.context(eve, { intent: 'mine', fork_of: ref })
      expect(visits.filter((visit) => visit === 'findByRef')).toHaveLength(1)
      answers.push(JSON.stringify(reply).replaceAll(ref, 'REF'))
    }
    expect(answers[0]).toBe(answers[1])
    expect(answers[0]).toContain('unknown_session')
  })
})
