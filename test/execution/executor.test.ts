import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { arg, fed, query, run, valuesOf, worldOf, planOf } from './plans.ts'
import { startTracker, integer, type Tracker } from './tracker.ts'
import { execute } from '../../src/execution/executor.ts'

let tracker: Tracker
beforeAll(async () => void (tracker = await startTracker()))
afterAll(() => tracker.close())
beforeEach(() => void tracker.log.splice(0))

test('reads one page of a plain list', async () => {
  const outcome = await run(tracker.pinned, [
    { id: 'issues', entity: 'Issue', operation: query('issue_query', { arguments: [arg('state', 'open')] }) },
  ])
  const [result] = outcome.results
  expect(tracker.log).toEqual(['GET /issues?state=open&page=1&per_page=10'])
  expect(result?.columns).toEqual(['id', 'title', 'state', 'points', 'author', 'updated'])
  expect(valuesOf(result)[0]).toEqual({
    id: 1,
    title: 'Issue 1',
    state: 'open',
    points: 0,
    author: 'u1',
    updated: '2026-01-02T00:00:00Z',
  })
  expect(result?.rows[0]?.identity).toEqual({ id: '1' })
  expect(result).toMatchObject({ partial: 'more_pages', continuation: { capability: 'issue_query' } })
  expect(outcome.problems).toEqual([])
  expect(outcome.usage).toMatchObject({ calls: 1, rows: 10 })
})

test('gets, projects and limits', async () => {
  const outcome = await run(
    tracker.pinned,
    [
      {
        id: 'one',
        entity: 'Issue',
        operation: { kind: 'get', capability: 'issue_get', identity: [arg('id', 3, integer)], arguments: [] },
      },
      { id: 'few', entity: 'Issue', operation: query('issue_query', { limit: 12 }) },
      {
        id: 'titles',
        entity: 'Issue',
        operation: {
          kind: 'project',
          source: 'few',
          columns: [
            { name: 'title', path: ['title'] },
            { name: 'id', path: ['id'] },
          ],
        },
      },
      { id: 'two', entity: 'Issue', operation: { kind: 'limit', source: 'titles', count: 2 } },
    ],
    {},
    ['one', 'two', 'few'],
  )
  expect(valuesOf(outcome.results[0])).toMatchObject([{ id: 3, title: 'Issue 3', body: 'Text of 3' }])
  expect(outcome.results[1]).toEqual({
    label: 'two',
    entity: { catalog: 'tracker', digest: tracker.pinned.digest, entity: 'Issue' },
    columns: ['title', 'id'],
    rows: [
      { values: { title: 'Issue 1', id: 1 }, identity: { id: '1' } },
      { values: { title: 'Issue 2', id: 2 }, identity: { id: '2' } },
    ],
  })
  expect(outcome.results[2]?.rows).toHaveLength(12)
  expect(outcome.results[2]?.partial).toBeUndefined()
})

test('writes once, through the ledger', async () => {
  const world = worldOf(tracker.pinned, { runId: 'run-1' })
  const plan = planOf(tracker.pinned, [
    {
      id: 'made',
      entity: 'Issue',
      operation: {
        kind: 'call',
        capability: 'issue_create',
        identity: [],
        arguments: [arg('title', 'New'), arg('points', 5, integer)],
      },
    },
    {
      id: 'seen',
      entity: 'Issue',
      operation: {
        kind: 'get',
        capability: 'issue_get',
        identity: [fed('id', 'made', ['id'], integer)],
        arguments: [],
      },
    },
  ])
  const outcome = await execute(plan, world)
  expect(tracker.log).toEqual(['POST /issues', 'GET /issues/26'])
  expect(tracker.bodies.at(-1)).toEqual({ title: 'New', points: 5 })
  expect(world.lines).toEqual(['claim made/0 issue_create', 'settle made/0 done'])
  expect(outcome.effects).toEqual([
    { node: 'made', row: 0, capability: 'issue_create', catalog: 'tracker', state: 'done' },
  ])
  expect(valuesOf(outcome.results[0])).toMatchObject([{ id: 26, title: 'New', points: 5 }])
})
