import { expect, test } from 'vitest'
import { sharedTracker } from '../shared-tracker.ts'

/* Fields that a list does not give are read one row at a time: for as few rows as the program leaves. */

const shared = sharedTracker()

/** How many lists and single rows were read. */
const calls = () => {
  const rows = shared.tracker.log.filter((line) => /^GET \/\w+\/\w+$/.test(line)).length
  return { lists: shared.tracker.log.length - rows, rows }
}

test.each([
  ['Issue.limit(2)[id, body]', { lists: 1, rows: 2 }],
  ['Issue[id, body].limit(2)', { lists: 1, rows: 2 }],
  ['Issue.sort(points, desc).limit(2)[id, body]', { lists: 3, rows: 2 }],
  ['Issue.sort(points, desc)[id, body].limit(2)', { lists: 3, rows: 2 }],
  ['a = Issue.sort(points, desc)\na{state=open}.limit(2)[id, body]', { lists: 3, rows: 2 }],
  ['Issue.sort(body, desc).limit(2)[id]', { lists: 3, rows: 25 }],
  ['Issue.sort(points, desc).limit(2)[id, title]', { lists: 3, rows: 0 }],
  // The list lacks the assignees, so that four issues are read again; the first assignee is an id alone.
  ['Issue.limit(4).assignee.limit(1)[name]', { lists: 1, rows: 5 }],
  ['Issue.limit(4).reporter.limit(2)[name]', { lists: 1, rows: 2 }],
  // Rows that another step uses as well are filled once, for all.
  [
    'a = Issue{state=open}\nfew = a.sort(points).limit(2)[id, body]\nall = a[body]\nfew, all',
    { lists: 2, rows: 13 },
  ],
])('%s reads %o', async (text, expected) => {
  const { problems } = await shared.served.run(text)
  expect(problems).toEqual([])
  expect(calls()).toEqual(expected)
})

test('the rows that remain are filled, in their order', async () => {
  const { results } = await shared.served.run(
    'top = Issue.sort(points, desc).limit(3)[id, points, body]\ntop',
  )
  expect(results?.['top']).toEqual([
    { id: 8, points: 9, body: 'Text of 8' },
    { id: 18, points: 9, body: 'Text of 18' },
    { id: 5, points: 8, body: 'Text of 5' },
  ])
})

test('rows that are returned whole are sorted by a field that the list does not give', async () => {
  const { results } = await shared.served.run('top = Issue.sort(body, desc).limit(2)\ntop')
  expect(results?.['top']).toMatchObject([
    { id: 9, title: 'Issue 9', body: 'Text of 9' },
    { id: 8, title: 'Issue 8', body: 'Text of 8' },
  ])
})

test('rows that are returned whole have the columns that another step shows', async () => {
  const { results } = await shared.served.run('a = Issue.limit(2)\nx = a[id, body]\na, x')
  expect(results?.['x']).toEqual([
    { id: 1, body: 'Text of 1' },
    { id: 2, body: 'Text of 2' },
  ])
  expect(results?.['a']).toMatchObject([{ title: 'Issue 1' }, { title: 'Issue 2' }])
  expect(calls()).toEqual({ lists: 1, rows: 2 })
})

test('a row that cannot be filled stays, and is marked', async () => {
  const allows = (_catalog: string, name: string) => name !== 'issue_get'
  const ran = await shared.served.run('top = Issue.sort(points, desc).limit(2)[id, body]\ntop', {
    allows,
    sees: () => true,
  })
  expect(ran.results?.['top']).toEqual([{ id: 8 }, { id: 18 }])
  expect(ran.partial).toEqual(['failed'])
  expect(ran.problems).toEqual([
    '`body` of 2 rows of Issue could not be read and are empty: `tracker.Issue`: you no longer have the right to this call.',
  ])
})

test('each of the lists of a loop is filled', async () => {
  const { results } = await shared.served.run(
    'rows = Issue.limit(2) => Issue{state=_.state}.limit(1)[id, body]\nrows',
  )
  expect(results?.['rows']).toEqual([
    { id: 1, body: 'Text of 1' },
    { id: 2, body: 'Text of 2' },
  ])
})
