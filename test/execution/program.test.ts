import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { httpWire } from '../../src/adapters/wire/http.ts'
import { execute } from '../../src/execution/executor.ts'
import { readProgram } from '../../src/language/program.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import { valuesOf, worldOf } from './plans.ts'
import { startTracker, type Tracker } from './tracker.ts'

/* From text to rows: the language's own plans over the real wire. */

let tracker: Tracker
const wire = httpWire({
  secrets: () => Promise.reject(new Error('no secrets here')),
  allowPrivate: () => true,
  userAgent: 'plasmid-test',
})
beforeAll(async () => void (tracker = await startTracker(25)))
afterAll(async () => {
  await wire.shutDown()
  await tracker.close()
})
beforeEach(() => void tracker.log.splice(0))

/** Runs a program's text and gives rows by label, with the problems. */
async function runText(text: string, budget = {}) {
  const { catalog, digest } = tracker.pinned
  const picks = [
    { catalog: catalog.id, digest, lens: 'all' as const, entities: ['Comment', 'Issue', 'Label', 'User'] },
  ]
  const space = symbolSpace([{ revision: 1, generation: 1, picks }], () => catalog)
  const read = readProgram(text, { space, model: () => catalog, allows: () => true, ref: 's0' })
  if (!read.ok) return { rejected: read.problems.map(({ message }) => message) }
  const outcome = await execute(read.plan, worldOf(tracker.pinned, { wire, budget }))
  return {
    results: Object.fromEntries(outcome.results.map((result) => [result.label, valuesOf(result)])),
    partial: outcome.results.map(({ partial }) => partial),
    problems: outcome.problems.map(({ message }) => message),
  }
}

test('limits, projects and counts', async () => {
  const ran = await runText(
    'few = Issue{state=open}.limit(2)[id, title]\nn = Issue{state=open}.aggregate(n=count)\nfew, n',
  )
  expect(ran).toEqual({
    results: {
      few: [
        { id: 1, title: 'Issue 1' },
        { id: 3, title: 'Issue 3' },
      ],
      n: [{ n: 13 }],
    },
    partial: [undefined, undefined],
    problems: [],
  })
})

test('walks relations and references', async () => {
  const ran = await runText(
    'issue = Issue(2)\nlabels = issue.labels\nauthor = issue.author\ncomments = issue.comments[id, text]\nlabels, author, comments',
  )
  expect(ran).toMatchObject({
    results: {
      labels: [{ id: 'bug' }, { id: 'l2' }],
      author: [{ id: 'u2', name: 'User u2' }],
      comments: [
        { id: 200, text: 'c0' },
        { id: 201, text: 'c1' },
      ],
    },
    problems: [],
  })
  expect(tracker.log.filter((line) => line === 'GET /issues/2')).toHaveLength(1)
})

test('fills fields that the list leaves out', async () => {
  expect(await runText('bodies = Issue{}.limit(2)[id, body]\nbodies')).toMatchObject({
    results: {
      bodies: [
        { id: 1, body: 'Text of 1' },
        { id: 2, body: 'Text of 2' },
      ],
    },
  })
})

test('says over the real wire what is wrong', async () => {
  expect(await runText('rows = Issue(999)\nrows')).toMatchObject({
    problems: ['`tracker` issue_get: the API has no such row: no issue 999'],
  })
})
