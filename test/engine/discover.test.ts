import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../src/access/caller.ts'
import { loadWordTable } from '../../src/adapters/embedder/load.ts'
import { pin } from '../../src/catalog/digest.ts'
import { catalogSet } from '../../src/catalog/lookup.ts'
import { discover } from '../../src/discovery/discover.ts'
import { testEngine } from './engines.ts'
import { fixtureCatalog } from './fixtures.ts'

const GOALS = [
  'find large open orders and tell their customers',
  'positions of an order with their quantities',
  'who borrowed a copy of this book',
  'unpaid invoices',
  'opening hours of the museum',
]

test.each(GOALS)('what an answer names can be picked: %s', async (intent) => {
  const { gateway } = testEngine()
  const found = await gateway.discover(LOCAL_USER, { intent })
  if (!found.ok) throw new Error(found.text)
  const rows = found.facts.rows.flatMap(({ api, also, entity }) =>
    [api, ...also].map((id) => ({ api: id, entity })),
  )
  const targets = [...found.text.matchAll(/(\w+)\.\w+ → (\w+)/g)].flatMap(([, from, to]) => {
    const { api = '' } = rows.find(({ entity }) => entity === from) ?? {}
    return [{ api, entity: to }]
  })
  expect(rows.length).toBeGreaterThan(0)
  const opened = await gateway.context(LOCAL_USER, { intent, seeds: [...rows, ...targets] })
  expect(opened).toMatchObject({ ok: true })
})

test('the first goal of a set of catalogs lets other work go on while its index is made', async () => {
  const set = catalogSet([pin(fixtureCatalog('shop'))])
  let pauses = 0
  const pause = async () => void pauses++
  const { gateway } = testEngine({ catalogs: { current: () => set }, pause })
  await gateway.discover(LOCAL_USER, { intent: 'unpaid invoices' })
  const first = pauses
  expect(first).toBeGreaterThan(0)
  await gateway.discover(LOCAL_USER, { intent: 'open orders' })
  expect(pauses).toBe(first)
})

test('a long goal is answered in slices, as at once', async () => {
  const set = catalogSet([pin(fixtureCatalog('shop'))])
  let [now, pauses] = [0, 0]
  const { gateway } = testEngine({
    catalogs: { current: () => set },
    // Each look at it takes a slice.
    clock: { now: () => (now += 2) },
    pause: async () => void pauses++,
  })
  const intent = 'the open orders of a customer, and what each of them cost, '.repeat(10)
  await gateway.discover(LOCAL_USER, { intent: 'open orders' })
  const before = pauses
  const found = await gateway.discover(LOCAL_USER, { intent })
  expect(pauses - before).toBeGreaterThan(5)
  const atOnce = discover(set, { intent: intent.trim() }, LOCAL_USER, await loadWordTable())
  expect(found.text).toBe(atOnce.text)
})
