import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { Pace } from '../../../src/base/slices/pace.ts'
import { DEFAULT_LIMITS } from '../../../src/engine/parts.ts'
import { within } from '../../../src/engine/run/within.ts'
import { testEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const signal = new AbortController().signal

/** An engine over an API whose one customer has a note of so many characters. */
async function opened(length: number, answerLength: number) {
  const body = { customers: [{ id: 'c1', name: 'One', notes: 'x'.repeat(length) }] }
  const engine = testEngine({
    limits: { ...DEFAULT_LIMITS, answerLength },
    wire: {
      send: async () => ({ ok: true, reply: { status: 200, headers: {}, body, bytes: length, requests: 1 } }),
    },
  })
  engine.swap(setOf(fixtureCatalog('shop')))
  const seeds = [{ api: 'shop', entity: 'Customer' }]
  await engine.gateway.context(LOCAL_USER, { intent: 'large', seeds })
  return engine
}

test('an answer carries the rows that fit, and says which do not', async () => {
  const engine = await opened(1000, 2500)
  const program = 'x = e1.limit(1)\nx[notes], x[id, notes], x[id]'
  const reply = await engine.gateway.run(LOCAL_USER, { logical_session_ref: 's0', program }, { signal })
  if (!reply.ok) throw new Error(reply.text)
  expect(reply.facts.results.map(({ rows }) => rows.length)).toEqual([1, 1, 1])
  const more = 'x = e1.limit(1)\nx[notes], x[id, notes], x[notes, id], x[id]'
  const cut = await engine.gateway.run(LOCAL_USER, { logical_session_ref: 's0', program: more }, { signal })
  if (!cut.ok) throw new Error(cut.text)
  expect(cut.facts.results.map(({ rows }) => rows.length)).toEqual([1, 1, 0, 0])
  // The text has its own, smaller limits, and the true counts.
  expect(cut.text).toContain('### x_4 (1 row)')
  expect(cut.facts.problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'answer_cut: The answer carries 2 of 4 rows, and leaves out others from `x_3` on: it has at most 2500 characters of rows.',
  ])
})

test('behind the cut no row is written', async () => {
  let written = 0
  const row = () => ({
    values: {
      get notes() {
        written++
        return 'x'.repeat(100)
      },
    },
  })
  const roots = Array.from({ length: 50 }, (_, at) => ({
    label: `r${at}`,
    entity: { catalog: 'shop', entity: 'Customer', digest: '' },
    columns: ['notes'],
    rows: [row()],
    partial: 'failed' as const,
  }))
  const pace = new Pace({ now: () => 0 }, () => Promise.resolve())
  await within(roots, 300, pace)
  const cut = written
  await within(roots.slice(0, 3), 300, pace)
  expect(cut).toBe(written - cut)
})

test('the same large row many times takes no time', async () => {
  const engine = await opened(7_000_000, DEFAULT_LIMITS.answerLength)
  const roots = Array.from({ length: 150 }, () => 'x[notes]').join(', ')
  const began = performance.now()
  const reply = await engine.gateway.run(
    LOCAL_USER,
    { logical_session_ref: 's0', program: `x = e1.limit(1)\n${roots}` },
    { signal },
  )
  expect(performance.now() - began).toBeLessThan(5000)
  if (!reply.ok) throw new Error(reply.text)
  expect(reply.facts.results.flatMap(({ rows }) => rows)).toHaveLength(2)
  expect(reply.facts.problems.map(({ code }) => code)).toContain('snapshot_too_big')
})
