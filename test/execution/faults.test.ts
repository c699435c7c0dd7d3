import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { arg, query, run, valuesOf } from './plans.ts'
import { integer, startTracker, type Tracker } from './tracker.ts'

let tracker: Tracker
beforeAll(async () => void (tracker = await startTracker(120)))
afterAll(() => tracker.close())
beforeEach(() => void tracker.log.splice(0))

const fault = (kind: string) => ({
  id: 'rows',
  entity: 'Issue',
  operation: query('fault', { arguments: [arg('kind', kind)] }),
})
const allIssues = [
  { id: 'issues', entity: 'Issue', operation: query('issue_query') },
  {
    id: 'n',
    operation: { kind: 'aggregate', source: 'issues', columns: [{ name: 'n', function: 'count' }] },
  } as const,
]

test.each([
  ['500', 'upstream_error', '`tracker.Issue`: the API failed with status 500: "database is down".'],
  ['rate', 'rate_limited', '`tracker.Issue`: the API limits the request rate (status 429): "slow down".'],
  ['html', 'not_json', '`tracker.Issue`: the API answered with HTML.'],
  [
    'shape',
    'unexpected_answer',
    '`tracker.Issue`: expected rows at `items`, got an object with `data`, `meta`.',
  ],
  ['slack', 'api_error', '`tracker.Issue`: the API answered with an error: "channel_not_found".'],
  ['graphql', 'api_error', '`tracker.Issue`: the API answered with an error: "Field `x` is unknown".'],
])('says what is wrong with %s', async (kind, code, message) => {
  const outcome = await run(tracker.pinned, [fault(kind)])
  expect(outcome.problems).toMatchObject([{ code, message }])
  expect(outcome.results).toEqual([{ label: 'rows', columns: [], rows: [], partial: 'failed' }])
})

test('names the missing row in the words of the API', async () => {
  const outcome = await run(tracker.pinned, [
    {
      id: 'one',
      entity: 'Issue',
      operation: { kind: 'get', capability: 'issue_get', identity: [arg('id', 999, integer)], arguments: [] },
    },
  ])
  expect(outcome.problems).toMatchObject([
    { code: 'not_found', message: '`tracker.Issue`: the API has no such row: "no issue 999".' },
  ])
})

test('leaves bad rows out and counts them', async () => {
  const outcome = await run(tracker.pinned, [fault('mixed')])
  expect(valuesOf(outcome.results[0])).toEqual([
    { id: 1, title: 'good' },
    { id: 'plain-id' },
    { id: 2, title: 'good too' },
  ])
  expect(outcome.problems).toMatchObject([
    {
      code: 'bad_rows',
      message: '`tracker.Issue`: skipped 2 of 5 rows: a row is neither an object nor an id.',
    },
  ])
})

test('rows that are all bad are a failed read', async () => {
  const outcome = await run(tracker.pinned, [fault('bad')])
  expect(outcome.problems).toMatchObject([
    { code: 'bad_rows', message: expect.stringContaining('skipped 2 of 2 rows') },
  ])
  expect(outcome.results).toEqual([{ label: 'rows', columns: [], rows: [], partial: 'failed' }])
})

test('gives up on an answer that never comes', async () => {
  const outcome = await run(tracker.pinned, [fault('slow')], { budget: { callMilliseconds: 50 } })
  expect(outcome.problems).toMatchObject([
    { code: 'timeout', message: '`tracker.Issue`: no answer in 50 ms.' },
  ])
})

test('calls the end of its own time a budget', async () => {
  const outcome = await run(tracker.pinned, [fault('slow')], { budget: { milliseconds: 50 } })
  expect(outcome.problems).toMatchObject([{ code: 'budget_exhausted' }])
})

test.each([
  ['calls', { calls: 3 }, 30, '3 of 3 calls'],
  ['rows', { rows: 25 }, 25, '25 of 25 rows'],
])('keeps what it read when the budget of %s ends', async (_, budget, rows, said) => {
  const outcome = await run(tracker.pinned, allIssues, { budget })
  expect(outcome.results).toMatchObject([{ label: 'n', rows: [{ values: { n: rows } }], partial: 'budget' }])
  expect(outcome.problems).toMatchObject([
    { code: 'budget_exhausted', message: expect.stringContaining(said) },
  ])
})

test('an aborted run stops reading and says so', async () => {
  const aborter = new AbortController()
  const reading = run(tracker.pinned, [fault('slow')], { signal: aborter.signal })
  await untilLogged(1)
  aborter.abort()
  const outcome = await reading
  expect(outcome.problems).toMatchObject([{ code: 'cancelled' }])
  expect(outcome.results).toMatchObject([{ rows: [], partial: 'failed' }])
})

test('asks for the right again at each call', async () => {
  let asked = 0
  const outcome = await run(tracker.pinned, allIssues, { allows: () => ++asked < 3 })
  expect(outcome.results).toMatchObject([{ rows: [{ values: { n: 20 } }], partial: 'failed' }])
  expect(outcome.problems).toMatchObject([
    { code: 'not_allowed', message: '`tracker.Issue`: you no longer have the right to this call.' },
  ])
})

/** Resolves as soon as the server has seen so many requests. */
async function untilLogged(count: number): Promise<void> {
  while (tracker.log.length < count) await new Promise((resolve) => void setImmediate(resolve))
}
