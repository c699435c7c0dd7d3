import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPage } from '../../../src/execution/executor.ts'
import type { Continuation } from '../../../src/execution/outcome.ts'
import { query, run, valuesOf, worldOf } from '../plans.ts'
import { startTracker, type Tracker } from '../tracker.ts'

let tracker: Tracker
beforeAll(async () => void (tracker = await startTracker(14)))
afterAll(() => tracker.close())

/** Half of the issues of a page. */
const filters = [
  {
    path: ['points'],
    operator: '>=' as const,
    type: { kind: 'integer' as const },
    operand: { kind: 'literal' as const, value: 5 },
  },
]

async function firstPage(): Promise<Continuation> {
  const operation = query('issue_query', { filters, needs: ['id', 'body'], pageSize: 5 })
  const outcome = await run(tracker.pinned, [{ id: 'issues', entity: 'Issue', operation }])
  const continuation = outcome.results[0]?.continuation
  if (!continuation) throw new Error('no continuation')
  return continuation
}

test('a page named in a program keeps filters and needs', async () => {
  const continuation = await firstPage()
  const outcome = await run(
    tracker.pinned,
    [{ id: 'next', entity: 'Issue', operation: { kind: 'page', handle: 'pg1' } }],
    {
      page: (handle) => Promise.resolve(handle === 'pg1' ? continuation : null),
    },
  )
  expect(outcome.problems).toEqual([])
  expect(valuesOf(outcome.results[0])).toMatchObject([{ id: 12, points: 7, body: 'Text of 12' }])
})

test('a condition evaluated here reads on to a page of hits, and says in how many rows', async () => {
  const large = await startTracker(55)
  try {
    const nodes = [{ id: 'issues', entity: 'Issue', operation: query('issue_query', { filters }) }]
    const { results, usage } = await run(large.pinned, nodes)
    const [first] = results
    expect(first?.rows).toHaveLength(10)
    expect([first?.partial, first?.searched, usage.calls]).toEqual(['more_pages', 20, 2])
    if (!first?.continuation) throw new Error('no continuation')
    const second = await readPage(first.continuation, worldOf(large.pinned))
    expect(second.result.rows.map(({ values }) => values['id'])).toEqual([
      22, 25, 26, 28, 29, 32, 35, 36, 38, 39,
    ])
  } finally {
    await large.close()
  }
})

test('a page of values out of several continues with them', async () => {
  const [points] = filters
  if (!points) throw new Error('no filter')
  const oneOf = [
    {
      ...points,
      operator: '=' as const,
      oneOf: true as const,
      operand: { kind: 'literal' as const, value: [7, 8] },
    },
  ]
  const operation = query('issue_query', { filters: oneOf, pageSize: 1 })
  const outcome = await run(tracker.pinned, [{ id: 'issues', entity: 'Issue', operation }])
  const [first] = outcome.results
  if (!first?.continuation) throw new Error('no continuation')
  const next = await readPage(first.continuation, worldOf(tracker.pinned))
  expect([...first.rows, ...next.result.rows].map(({ values }) => values['id'])).toEqual([2, 5])
})

test('an unknown handle says what to do', async () => {
  const outcome = await run(tracker.pinned, [
    { id: 'next', entity: 'Issue', operation: { kind: 'page', handle: 'pg9' } },
  ])
  expect(outcome.problems).toMatchObject([
    {
      code: 'page_unknown',
      message: 'There is no page `pg9` in this session; pages expire.',
      next: 'Run the program again and use the handle of its answer.',
    },
  ])
})

test.each([
  ['a catalog that is gone', (one: Continuation) => ({ ...one, entity: { ...one.entity, digest: 'gone' } })],
  ['a capability that is gone', (one: Continuation) => ({ ...one, capability: 'gone' })],
  ['a state of another shape', (one: Continuation) => ({ ...one, state: { page: {} } })],
])('refuses to go on with %s', async (_, change) => {
  const read = await readPage(change(await firstPage()), worldOf(tracker.pinned))
  expect(read.problems).toMatchObject([{ code: 'continuation_stale' }])
})

test('a page that fails can be asked for again', async () => {
  const continuation = await firstPage()
  const read = await readPage(continuation, worldOf(tracker.pinned, { allows: () => false }))
  expect(read.problems).toMatchObject([{ code: 'not_allowed' }])
  expect(read.result).toMatchObject({ rows: [], partial: 'failed', continuation })
})
