import { expect, test, vi } from 'vitest'
import { LOCAL_USER } from '../../src/access/caller.ts'
import { loadWordTable } from '../../src/adapters/embedder/load.ts'
import { pin } from '../../src/catalog/digest.ts'
import { catalogSet } from '../../src/catalog/lookup.ts'
import { discover } from '../../src/discovery/discover.ts'
import type { SentenceModel } from '../../src/discovery/embedder.ts'
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
  expect(found.text).toBe(`${atOnce.text}\n`)
})

/** A model by which a text is about money or not; it embeds catalogs once it is released. */
function modelOfMoney() {
  const kept = new Map<string, Float32Array>()
  const embedded: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const vectorOf = (text: string) =>
    Float32Array.from(/invoice|owes/i.test(text) ? [0.995, 0.1] : [0.1, 0.995])
  const model: SentenceModel = {
    dimensions: 2,
    kept: (text) => kept.get(text),
    keep: async (texts) => {
      await released
      for (const text of texts) kept.set(text, vectorOf(text))
      return true
    },
    embed: async (texts) => {
      embedded.push(...texts)
      return texts.map(vectorOf)
    },
  }
  return { model, embedded, kept, release }
}

test('goals are compared by words until the catalogs are embedded, and by sentences then', async () => {
  const { model, embedded, kept, release } = modelOfMoney()
  const { gateway } = testEngine({ sentenceModel: model })
  const intent = 'Who owes us, and who reads books?'
  const byWords = await testEngine().gateway.discover(LOCAL_USER, { intent })
  expect(await gateway.discover(LOCAL_USER, { intent })).toEqual(byWords)
  expect(embedded).toEqual([])
  release()
  await vi.waitFor(() => expect(kept.size).toBeGreaterThan(0))
  const bySentences = await gateway.discover(LOCAL_USER, { intent })
  expect(bySentences.ok && bySentences.facts.rows[0]).toMatchObject({ entity: 'Invoice', fit: 'strong' })
  expect(embedded.map((text) => text.trim())).toEqual([intent, 'Who owes us', 'who reads books'])
})

test('where the model fails, goals are compared by words', async () => {
  const intent = 'Who owes us, and who reads books?'
  const byWords = await testEngine().gateway.discover(LOCAL_USER, { intent })
  let tries = 0
  const withoutGoals: SentenceModel = {
    dimensions: 2,
    kept: () => Float32Array.from([1, 0]),
    keep: async () => true,
    embed: async () => undefined,
  }
  const withoutCatalogs: SentenceModel = {
    ...withoutGoals,
    kept: () => undefined,
    keep: async () => ++tries < 0,
  }
  for (const sentenceModel of [withoutGoals, withoutCatalogs]) {
    const { gateway } = testEngine({ sentenceModel })
    for (let again = 0; again < 3; again++)
      expect(await gateway.discover(LOCAL_USER, { intent })).toEqual(byWords)
  }
  // Its texts would keep a thread busy for ever.
  expect(tries).toBe(1)
})
