import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { testEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const SEEDS = [{ api: 'shop', entity: 'Customer' }]
const signal = new AbortController().signal

/** What a new session teaches under this policy of changes. */
async function taught(effectPolicy: () => 'review' | 'deny') {
  const engine = testEngine({ effectPolicy })
  engine.swap(setOf(fixtureCatalog('shop')))
  const { text } = await engine.gateway.context(LOCAL_USER, { intent: 'shop', seeds: SEEDS })
  const table = await engine.gateway.table(LOCAL_USER, 's0')
  expect(table.text).toBe(text)
  return { engine, text }
}

test('a change that the policy denies is not taught, and refused by its name', async () => {
  const allowed = await taught(() => 'review')
  expect(allowed.text).toContain('.delete()')
  const { engine, text } = await taught(() => 'deny')
  expect(text).not.toMatch(/\.delete\(\)|\.update\(|\.create\(/)
  // The rows of reads are the same ones, with the same symbols.
  const lines = new Set(allowed.text.split('\n'))
  expect(text.split('\n').filter((line) => line.startsWith('e1{') && !lines.has(line))).toEqual([])
  const input = { logical_session_ref: 's0', program: 'e1("c1").delete()' }
  for (const reply of [
    await engine.gateway.plan(LOCAL_USER, input),
    await engine.gateway.run(LOCAL_USER, input, { signal }),
  ])
    expect(reply).toMatchObject({ ok: false, problems: [{ code: 'effect_denied' }] })
  const wrong = await engine.gateway.plan(LOCAL_USER, { ...input, program: 'e1("c1").delet()' })
  expect(wrong.text).not.toContain('e1(…).delete()')
})
