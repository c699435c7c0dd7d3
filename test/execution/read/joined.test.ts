import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { httpWire } from '../../../src/adapters/wire/http.ts'
import { execute, readPage } from '../../../src/execution/executor.ts'
import { applyFix } from '../../../src/language/syntax/fix.ts'
import { readProgram } from '../../../src/language/program.ts'
import { symbolSpace } from '../../../src/session/exposure.ts'
import { valuesOf, worldOf } from '../plans.ts'
import { startTracker, type Tracker } from '../tracker.ts'

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

function planned(text: string, entities = ['Comment', 'Issue', 'Label', 'User']) {
  const { catalog, digest } = tracker.pinned
  const picks = [{ catalog: catalog.id, digest, lens: 'all' as const, entities }]
  const space = symbolSpace([{ revision: 1, generation: 1, picks }], () => catalog)
  return readProgram(text, { space, model: () => catalog, allows: () => true, ref: 's0' })
}

/** The rows of a read, and those of its next page. */
async function pagesOf(text: string) {
  const read = planned(text)
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  const world = worldOf(tracker.pinned, { wire })
  const [first] = (await execute(read.plan, world)).results
  if (!first?.continuation) throw new Error('no further page')
  const { result } = await readPage(first.continuation, world)
  return { outcome: valuesOf(first), more: valuesOf(result) }
}

/** Runs a program's text: the rows of its first root, and the problems. */
async function runText(text: string) {
  const read = planned(text)
  if (!read.ok) return { rejected: read.problems.map(({ message }) => message) }
  const outcome = await execute(read.plan, worldOf(tracker.pinned, { wire }))
  const [first] = outcome.results
  return { rows: first && valuesOf(first), problems: outcome.problems.map(({ message }) => message) }
}

test('columns are filled across a reference, each row once', async () => {
  expect(await runText('Issue{}.limit(4)[id, author.name]')).toEqual({
    rows: [
      { id: 1, 'author.name': 'User u1' },
      { id: 2, 'author.name': 'User u2' },
      { id: 3, 'author.name': 'User u0' },
      { id: 4, 'author.name': 'User u1' },
    ],
    problems: [],
  })
  expect(tracker.log.filter((line) => line.startsWith('GET /users/'))).toHaveLength(3)
})

test('only rows that are left after a limit are looked into', async () => {
  const { rows } = await runText('Issue{}.sort(points, desc).limit(1)[id, author.name]')
  expect(rows).toHaveLength(1)
  expect(tracker.log.filter((line) => line.startsWith('GET /users/'))).toHaveLength(1)
})

test.each([
  ['Issue{}.limit(3).sort(author.name, desc)[id]', [{ id: 2 }, { id: 1 }, { id: 3 }]],
  [
    'Issue{}.limit(4).group_by(author.name, n=count).sort(n, desc).limit(1)',
    [{ 'author.name': 'User u1', n: 2 }],
  ],
  [
    'made = Issue{}.limit(2) => Issue.issue_create(title=_.author.name)\nmade[title]',
    [{ title: 'User u1' }, { title: 'User u2' }],
  ],
  ['one = Issue(2)\nIssue.issue_create(title=one.author.name)[title]', [{ title: 'User u2' }]],
  [
    'Issue{}.limit(2)[id, author.name] <<T\n{% for r in rows %}{{ r["author.name"] }}. {% endfor %}\nT',
    [{ content: 'User u1. User u2. ' }],
  ],
])('%s', async (text, rows) => {
  const ran = await runText(text)
  expect(ran.problems).toEqual([])
  expect(JSON.stringify(ran.rows)).toBe(JSON.stringify(rows))
})

test('later pages are looked into as well', async () => {
  const { outcome, more } = await pagesOf('Issue[id, author.name]')
  expect(outcome[0]).toEqual({ id: 1, 'author.name': 'User u1' })
  expect(more[0]).toEqual({ id: 11, 'author.name': 'User u2' })
})

test('a condition on what a reference names is applied to what was got', async () => {
  const { rows, problems } = await runText('Issue{author.name="User u1"}.limit(2)[id, author.name]')
  expect({ rows, problems }).toEqual({
    rows: [
      { id: 1, 'author.name': 'User u1' },
      { id: 4, 'author.name': 'User u1' },
    ],
    problems: [],
  })
  expect(tracker.log.filter((line) => line.startsWith('GET /users/'))).toHaveLength(3)
})

test('so is one behind a relation in the answer', async () => {
  const { rows } = await runText('Issue{user.name="User u2", state=closed}.limit(1)[id, state]')
  expect(rows).toEqual([{ id: 2, state: 'closed' }])
})

test('what a relation leads to is no column', async () => {
  expect(await runText('Issue(2)[id, labels, comments.text]')).toEqual({
    rejected: [
      '`labels` is a relation to Label; only a field of a row can be a column.',
      '`comments` is a relation to Comment; only a field of a row can be a column.',
    ],
  })
})

test('the relation of a row in the answer stands for its key, also in conditions with null', async () => {
  expect(await runText('Issue(2)[id, assignee]')).toEqual({
    rows: [{ id: 2, 'assignee.id': 'u1' }],
    problems: [],
  })
  expect(await runText('x = Issue(2)\nx{assignee=null}[id]')).toEqual({ rows: [], problems: [] })
  expect(await runText('x = Issue(2)\nx{assignee!=null}[id]')).toEqual({ rows: [{ id: 2 }], problems: [] })
})

test('an answer without the row of a relation, or with its id alone, is completed', async () => {
  expect(await runText('Issue{}.limit(3).group_by(assignee.name, n=count)')).toEqual({
    rows: [
      { 'assignee.name': 'User u1', n: 1 },
      { 'assignee.name': 'User u2', n: 2 },
    ],
    problems: [],
  })
  expect(await runText('Issue{assignee=u1}.limit(2)[id]')).toEqual({
    rows: [{ id: 2 }, { id: 4 }],
    problems: [],
  })
  expect(await runText('Issue{assignee=null}.limit(2)[id]')).toEqual({ rows: [], problems: [] })
})

test('a column of a path goes by its name in later steps', async () => {
  expect(
    await runText('x = Issue{}.limit(4)[id, author.name]\nx{author.name!="User u0"}.sort(author.name, desc)'),
  ).toEqual({
    rows: [
      { id: 2, 'author.name': 'User u2' },
      { id: 1, 'author.name': 'User u1' },
      { id: 4, 'author.name': 'User u1' },
    ],
    problems: [],
  })
})

test('columns in the answer are offered for a relation to an entity that the session does not have', () => {
  const text = 'Issue(2).assignee[id, name]'
  const read = planned(text, ['Issue'])
  const [problem] = read.ok ? [] : read.problems
  expect(problem?.code).toBe('target_not_exposed')
  expect(problem?.fix && applyFix(text, problem.fix)).toBe('Issue(2)[assignee.id, assignee.name]')
})

test('conditions are offered for the key of an entity without a read by a key', () => {
  const text = 'Comment(issue=2)[id]'
  const read = planned(text)
  const [problem] = read.ok ? [] : read.problems
  expect(problem?.code).toBe('wrong_key')
  expect(problem?.fix && applyFix(text, problem.fix)).toBe('Comment{issue=2}[id]')
})
