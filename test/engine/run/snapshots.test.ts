import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import type { Store } from '../../../src/engine/store.ts'
import { testEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const signal = new AbortController().signal
const CUSTOMERS = Array.from({ length: 300 }, (_, index) => ({
  id: `c${index}`,
  name: `Customer ${index}`,
  notes: index === 7 ? 'ä'.repeat(400_000) : 'word '.repeat(1000),
  tags: index === 8 ? Array.from({ length: 30_000 }, (__, tag) => `tag ${tag}`) : [],
}))

/** A session over an API with large rows; the entries that its store was given, and those that it no longer has. */
async function opened() {
  const store = memoryStore({ clock: { now: () => 1_000_000 } })
  const entries: { readonly kind: string; readonly body: string }[] = []
  const gone = new Set<string>()
  const noting: Store = {
    ...store,
    append: (entry) => (entries.push(entry), store.append(entry)),
    claim: (entry) => (entries.push(entry), store.claim(entry)),
    replace: (entry) => (entries.push(entry), store.replace(entry)),
    read: async (owner, kind, name) => (gone.has(kind) ? null : store.read(owner, kind, name)),
  }
  const engine = testEngine({
    store: noting,
    wire: {
      send: async () => ({
        ok: true,
        reply: { status: 200, headers: {}, body: { customers: CUSTOMERS }, bytes: 1, requests: 1 },
      }),
    },
  })
  engine.swap(setOf(fixtureCatalog('shop')))
  const seeds = [{ api: 'shop', entity: 'Customer' }]
  await engine.gateway.context(LOCAL_USER, { intent: 'large', seeds })
  const run = (program: string, more: object = {}) =>
    engine.gateway.run(LOCAL_USER, { logical_session_ref: 's0', program, ...more }, { signal })
  const plan = (program: string) => engine.gateway.plan(LOCAL_USER, { logical_session_ref: 's0', program })
  const read = () => engine.gateway.snapshot(LOCAL_USER, 'plasm://session/s0/r/1')
  return { run, plan, read, entries, gone }
}

test('a large snapshot is kept in pieces, and read as it was', async () => {
  const { run, read, entries } = await opened()
  const reply = await run('x = e1.limit(300)\nx[id, notes, tags]')
  expect(reply.text).toContain('plasm://session/s0/r/1')
  expect(entries.filter(({ kind }) => kind === 'snapshot')).toHaveLength(1)
  const pieces = entries.filter(({ kind }) => kind === 'piece')
  expect(pieces.length).toBeGreaterThan(5)
  expect(Math.max(...entries.map(({ body }) => body.length))).toBeLessThan(600_000)
  const kept = await read()
  if (!kept.ok) throw new Error(kept.text)
  const rows = CUSTOMERS.map(({ id, notes, tags }) => ({ id, notes, tags }))
  expect(kept.facts.results).toMatchObject([{ label: 'x', rows }])
  expect(kept.text).toBe(`${JSON.stringify(kept.facts.results)}\n`)
})

test('the rows behind those that were shown come from the pieces', async () => {
  const { run } = await opened()
  await run('x = e1.limit(300)\nx[id, notes]')
  const next = await run('y = page(s0_pg1)\ny[id].limit(2)')
  expect(next.text).toMatch(/^c\d+$/m)
})

test('a small snapshot is one entry', async () => {
  const { run, entries } = await opened()
  await run('x = e1.limit(300)\nx[id]')
  expect(entries.map(({ kind }) => kind).toSorted()).toEqual(['page', 'snapshot'])
})

test('a snapshot that lacks a piece is unknown', async () => {
  const { run, read, gone } = await opened()
  await run('x = e1.limit(300)\nx[id, notes]')
  gone.add('piece')
  expect((await read()).text).toContain('unknown_snapshot')
})

const CHANGE = 'x = e1.limit(300)\nd = e1("c1").delete()\nx[id, notes, tags], d'

test('the large answer of a change is kept in pieces, and repeated as it was', async () => {
  const { run, plan, entries } = await opened()
  await plan(CHANGE)
  const first = await run(CHANGE, { plan: 'pc1' })
  expect(first).toMatchObject({ ok: true, facts: { effects: [{ state: 'done' }] } })
  expect(Math.max(...entries.map(({ body }) => body.length))).toBeLessThan(600_000)
  expect(await run(CHANGE, { plan: 'pc1' })).toEqual(first)
})

test('the outcome of a change is known where the rows of its answer are lost', async () => {
  const { run, plan, gone } = await opened()
  await plan(CHANGE)
  await run(CHANGE, { plan: 'pc1' })
  gone.add('piece')
  expect(await run(CHANGE, { plan: 'pc1' })).toMatchObject({
    ok: true,
    facts: { results: [], effects: [{ state: 'done' }], problems: [{ code: 'rows_not_kept' }] },
  })
})
