import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../src/access/caller.ts'
import { testEngine } from './engines.ts'

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
