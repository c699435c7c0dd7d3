import { expect, test } from 'vitest'
import { sharedTracker } from '../shared-tracker.ts'

/* Conditions that are evaluated here, on an API that evaluates some of them as well. */

const shared = sharedTracker()

/** The rows of each result of a program. */
async function rowsOf(text: string) {
  const { results = {}, problems, rejected } = await shared.served.run(text)
  expect([rejected, problems]).toEqual([undefined, []])
  return results
}

test.each(['open', 'closed'])('state=%s on a label keeps the rows that the API gives', async (state) => {
  const { there, here } = await rowsOf(
    `all = Issue\nhere = all{state=${state}}[id, title]\nthere = Issue{state=${state}}.limit(99)[id, title]\nthere, here`,
  )
  expect(here?.length).toBeGreaterThan(5)
  expect(here).toEqual(there)
})

test('one of several values is each of them', async () => {
  const { both, every, none } = await rowsOf(
    'both = Issue{state=[open, closed]}.limit(99)[id]\nevery = Issue.limit(99)[id]\nall = Issue\nnone = all{state!=[open, closed]}[id]\nboth, every, none',
  )
  expect(both).toEqual(every)
  expect(none).toEqual([])
})

test('conditions on a label cross references and compose with other steps', async () => {
  const { rows, count } = await rowsOf(
    'all = Issue.limit(9)\nsome = all{id>2, id<=6}\nrows = some.sort(id, desc)[nr=id]\ncount = some.aggregate(n=count)\nrows, count',
  )
  expect(rows).toEqual([{ nr: 6 }, { nr: 5 }, { nr: 4 }, { nr: 3 }])
  expect(count).toEqual([{ n: 4 }])
})

test('computed rows have conditions as well', async () => {
  const { big } = await rowsOf('g = Issue.group_by(state, n=count)\nbig = g{n>12}[state]\nbig')
  expect(big).toEqual([{ state: 'open' }])
})

test.each([
  ['extra.plan=gold', true],
  ['extra.plan="silver"', false],
  ['extra.plan=[silver, gold]', true],
  ['extra.plan!=[silver, gold]', false],
  ['extra.seats>9, extra.seats<=12', true],
  ['extra.joined>=2025-02-28', true],
  ['extra.joined>2025-03-01', false],
  ['extra.beta=true', true],
  ['extra.nothing=null', true],
  ['extra.tags.0=a, extra.tags[1].id=b', true],
  ['extra.tags.2=null', true],
])('%s on JSON: %j', async (condition, isKept) => {
  const { rows } = await rowsOf(`u = User(u8)\nrows = u{${condition}}[id]\nrows`)
  expect(rows).toEqual(isKept ? [{ id: 'u8' }] : [])
})

test('places of lists in JSON are columns and values', async () => {
  const { rows, same } = await rowsOf(
    'u = User(u8)\nrows = u[extra.tags[1].id, first=extra.tags.0]\nsame = u{extra.tags.0=u.extra.tags[0]}[id]\nrows, same',
  )
  expect(rows).toEqual([{ 'extra.tags.1.id': 'b', first: 'a' }])
  expect(same).toEqual([{ id: 'u8' }])
})

test('a loop shows columns of the row around', async () => {
  const { out } = await rowsOf(
    'few = Issue{state=open}.limit(2)\nout = few => _.labels[id, issue=_.title]\nout',
  )
  expect(out).toContainEqual({ id: expect.any(String), issue: 'Issue 1' })
})
