import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPage } from '../../../src/execution/executor.ts'
import type { Continuation } from '../../../src/execution/outcome.ts'
import { query, run, valuesOf, worldOf } from '../plans.ts'
import { startTracker, type Tracker } from '../tracker.ts'

let tracker: Tracker
beforeAll(async () => void (tracker = await startTracker(14)))
afterAll(() => tracker.close())

async function firstPage(): Promise<Continuation> {
  const filters = [
    {
      path: ['points'],
      operator: '>=' as const,
      type: { kind: 'integer' as const },
      operand: { kind: 'literal' as const, value: 5 },
    },
  ]
  const outcome = await run(tracker.pinned, [
    { id: 'issues', entity: 'Issue', operation: query('issue_query', { filters, needs: ['id', 'body'] }) },
  ])
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

test('an unknown handle says what to do', async () => {
  const outcome = await run(tracker.pinned, [
    { id: 'next', entity: 'Issue', operation: { kind: 'page', handle: 'pg9' } },
  ])
  expect(outcome.problems).toMatchObject([
    {
      code: 'page_unknown',
      message: 'There is no page `pg9`; it is unknown, used or expired.',
      next: 'Run the query again for a new page handle.',
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
