import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readPage } from '../../../src/execution/executor.ts'
import type { Continuation } from '../../../src/execution/outcome.ts'
import type { Operation } from '../../../src/language/plan/plan.ts'
import { arg, query, run, valuesOf, worldOf } from '../plans.ts'
import { integer, startTracker, type Tracker } from '../tracker.ts'

let tracker: Tracker
beforeAll(async () => void (tracker = await startTracker(25)))
afterAll(() => tracker.close())
beforeEach(() => void tracker.log.splice(0))

const issue = (id: number) =>
  ({
    id: 'issue',
    entity: 'Issue',
    operation: { kind: 'get', capability: 'issue_get', identity: [arg('id', id, integer)], arguments: [] },
  }) as const
const issues = (limit: number) => ({
  id: 'issues',
  entity: 'Issue',
  operation: query('issue_query', { limit }),
})
const along = (
  source: string,
  relation: string,
  more: Partial<Extract<Operation, { kind: 'relation' }>> = {},
): Operation => ({
  kind: 'relation',
  source,
  relation,
  arguments: [],
  filters: [],
  ...more,
})

test('a query relation of one row pages like a list', async () => {
  const outcome = await run(tracker.pinned, [
    issue(1),
    { id: 'comments', entity: 'Comment', operation: along('issue', 'comments') },
  ])
  expect(tracker.log).toEqual(['GET /issues/1', 'GET /issues/1/comments?page=1&per_page=10'])
  expect(outcome.results[0]).toMatchObject({
    partial: 'more_pages',
    continuation: { capability: 'comment_query' },
  })
  expect(outcome.results[0]?.rows[0]).toEqual({
    values: { id: 100, text: 'c0', issue: 1 },
    identity: { id: '100' },
  })
})

test('columns of the one row around stand on every page of its rows', async () => {
  const columns = [
    { name: 'id', path: ['id'] },
    { name: 'of', path: ['_', 'title'] },
  ]
  const outcome = await run(tracker.pinned, [
    issue(1),
    { id: 'comments', entity: 'Comment', operation: along('issue', 'comments') },
    { id: 'out', entity: 'Comment', operation: { kind: 'project', source: 'comments', columns } },
  ])
  const [first] = outcome.results
  expect(valuesOf(first)[0]).toEqual({ id: 100, of: 'Issue 1' })
  if (!first?.continuation) throw new Error('no continuation')
  const kept: Continuation = JSON.parse(JSON.stringify(first.continuation))
  const second = await readPage(kept, worldOf(tracker.pinned))
  expect(valuesOf(second.result)).toEqual([
    { id: 110, of: 'Issue 1' },
    { id: 111, of: 'Issue 1' },
  ])
})

test('a query relation of many rows keeps order and parents', async () => {
  const outcome = await run(tracker.pinned, [
    issues(3),
    { id: 'comments', entity: 'Comment', operation: along('issues', 'comments') },
  ])
  const rows = outcome.results[0]?.rows ?? []
  expect(rows.map(({ identity, parent }) => [parent?.['id'], identity?.['id']])).toEqual([
    ...Array.from({ length: 12 }, (_, index) => ['1', String(100 + index)]),
    ['2', '200'],
    ['2', '201'],
  ])
  expect(outcome.results[0]?.partial).toBeUndefined()
  expect(tracker.busiest()).toBeLessThanOrEqual(5)
})

test('children in the parent cost no call', async () => {
  const outcome = await run(tracker.pinned, [
    issue(2),
    { id: 'labels', entity: 'Label', operation: along('issue', 'labels') },
  ])
  expect(tracker.log).toEqual(['GET /issues/2'])
  expect(valuesOf(outcome.results[0])).toEqual([
    { id: 'bug', color: 'red' },
    { id: 'l2', color: 'blue' },
  ])
})

test('a thin parent is read again for its children', async () => {
  const outcome = await run(tracker.pinned, [
    issues(2),
    { id: 'labels', entity: 'Label', operation: along('issues', 'labels') },
  ])
  expect(tracker.log).toEqual(['GET /issues?page=1&per_page=10', 'GET /issues/1', 'GET /issues/2'])
  expect(outcome.results[0]?.rows.map(({ identity, parent }) => [parent?.['id'], identity?.['id']])).toEqual([
    ['1', 'bug'],
    ['1', 'l1'],
    ['2', 'bug'],
    ['2', 'l2'],
  ])
})

test('an embedded row is used, an embedded id is got', async () => {
  const outcome = await run(
    tracker.pinned,
    [
      issue(2),
      { id: 'whole', entity: 'User', operation: along('issue', 'assignee') },
      { ...issue(3), id: 'other' },
      { id: 'stub', entity: 'User', operation: along('other', 'assignee', { needs: ['name'] }) },
    ],
    {},
    ['whole', 'stub'],
  )
  expect(outcome.results.map(valuesOf)).toEqual([
    [{ id: 'u1', name: 'User u1' }],
    [{ id: 'u2', name: 'User u2' }],
  ])
  expect(tracker.log.toSorted()).toEqual(['GET /issues/2', 'GET /issues/3', 'GET /users/u2'])
})

test('references get each id once, in source order', async () => {
  const outcome = await run(tracker.pinned, [
    issues(6),
    { id: 'authors', entity: 'User', operation: { kind: 'reference', source: 'issues', field: 'author' } },
  ])
  expect(valuesOf(outcome.results[0])).toMatchObject([
    { id: 'u1' },
    { id: 'u2' },
    { id: 'u0' },
    { id: 'u1' },
    { id: 'u2' },
    { id: 'u0' },
  ])
  expect(tracker.log.filter((line) => line.includes('/users/')).toSorted()).toEqual([
    'GET /users/u0',
    'GET /users/u1',
    'GET /users/u2',
  ])
})

test('a get relation binds a field of the parent', async () => {
  const outcome = await run(tracker.pinned, [
    issues(2),
    { id: 'reporters', entity: 'User', operation: along('issues', 'reporter') },
  ])
  expect(outcome.problems).toEqual([])
  expect(valuesOf(outcome.results[0])).toMatchObject([{ id: 'u1', name: 'User u1' }, { id: 'u2' }])
})

test('reverse asks once for each row', async () => {
  const outcome = await run(tracker.pinned, [
    issues(3),
    {
      id: 'comments',
      entity: 'Comment',
      operation: {
        kind: 'reverse',
        source: 'issues',
        capability: 'comment_query',
        parameter: 'issue',
        arguments: [],
        filters: [],
      },
    },
  ])
  expect(outcome.results[0]?.rows).toHaveLength(14)
  expect(tracker.log.slice(1).toSorted()).toEqual([
    'GET /issues/1/comments?page=1&per_page=10',
    'GET /issues/1/comments?page=2&per_page=10',
    'GET /issues/2/comments?page=1&per_page=10',
    'GET /issues/3/comments?page=1&per_page=10',
  ])
})

test('a documented relation cannot be walked', async () => {
  const outcome = await run(tracker.pinned, [
    issue(1),
    { id: 'watchers', entity: 'User', operation: along('issue', 'watchers') },
  ])
  expect(outcome.problems).toMatchObject([
    { code: 'relation_unwalkable', message: '`Issue.watchers` cannot be followed: no call reads it.' },
  ])
})

test('fetches fields that the list leaves out, when needed', async () => {
  const outcome = await run(tracker.pinned, [
    { id: 'issues', entity: 'Issue', operation: query('issue_query', { limit: 2, needs: ['id', 'body'] }) },
    {
      id: 'bodies',
      entity: 'Issue',
      operation: { kind: 'project', source: 'issues', columns: [{ name: 'body', path: ['body'] }] },
    },
  ])
  expect(valuesOf(outcome.results[0])).toEqual([{ body: 'Text of 1' }, { body: 'Text of 2' }])
  expect(outcome.usage.calls).toBe(3)
})

test('failed hydration leaves the field empty, said once', async () => {
  const outcome = await run(
    tracker.pinned,
    [{ id: 'issues', entity: 'Issue', operation: query('issue_query', { limit: 3, needs: ['body'] }) }],
    {
      allows: (_, capability) => capability !== 'issue_get',
    },
  )
  expect(outcome.results[0]?.rows).toHaveLength(3)
  expect(outcome.problems).toMatchObject([
    {
      code: 'hydration_failed',
      message:
        '`body` of 3 rows of Issue could not be read and are empty: `tracker.Issue`: you no longer have the right to this call.',
    },
  ])
})

test('filters on a left-out field fetch it first', async () => {
  const outcome = await run(tracker.pinned, [
    {
      id: 'issues',
      entity: 'Issue',
      operation: query('issue_query', {
        limit: 1,
        filters: [
          {
            path: ['body'],
            operator: '~',
            type: { kind: 'string', semantics: 'markdown' },
            operand: { kind: 'literal', value: 'of 3' },
          },
        ],
      }),
    },
  ])
  expect(valuesOf(outcome.results[0])).toMatchObject([{ id: 3, body: 'Text of 3' }])
})
