import { expect, test } from 'vitest'
import { arg, query, run } from './plans.ts'
import { sharedTracker } from './shared-tracker.ts'

/* From text to rows: the language's own plans over the real wire. */

const shared = sharedTracker()

test('limits, projects and counts', async () => {
  const ran = await shared.served.run(
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

test('reads once for each of several values, and gives each row once', async () => {
  expect(await shared.served.run('Issue{id=[3, 1, 3]}[id, title]')).toEqual({
    results: {
      Issue: [
        { id: 3, title: 'Issue 3' },
        { id: 1, title: 'Issue 1' },
      ],
    },
    partial: [undefined],
    problems: [],
  })
  expect(shared.tracker.log.toSorted()).toEqual(['GET /issues/1', 'GET /issues/3', 'GET /issues/3'])
})

test('walks relations and references', async () => {
  const ran = await shared.served.run(
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
  expect(shared.tracker.log.filter((line) => line === 'GET /issues/2')).toHaveLength(1)
})

test('fills fields that the list leaves out', async () => {
  expect(await shared.served.run('bodies = Issue{}.limit(2)[id, body]\nbodies')).toMatchObject({
    results: {
      bodies: [
        { id: 1, body: 'Text of 1' },
        { id: 2, body: 'Text of 2' },
      ],
    },
  })
})

test('reports problems over the real wire', async () => {
  expect(await shared.served.run('rows = Issue(999)\nrows')).toMatchObject({
    problems: ['`tracker.Issue`: the API has no such row: "no issue 999".'],
  })
})

test('writes, row by row, and reads what it wrote', async () => {
  const ran = await shared.served.run(
    'old = Issue{state=open}.limit(2)\ndone = old => _.update(title="done ${_.id}")\nafter = Issue(1)[id, title]\ndone, after',
  )
  expect(ran).toMatchObject({
    results: {
      done: [
        { id: 1, title: 'done 1' },
        { id: 3, title: 'done 3' },
      ],
      after: [{ id: 1, title: 'done 1' }],
    },
    problems: [],
  })
})

test('calls a side effect on a row', async () => {
  expect(await shared.served.run('closed = Issue(5).issue_close()\nclosed')).toEqual({
    effects: ['0 done'],
    results: { closed: [] },
    partial: [undefined],
    problems: [],
  })
  expect(shared.tracker.log).toEqual(['POST /issues/5/close'])
})

test('renders a template', async () => {
  const ran = await shared.served.run(
    'few = Issue{state=open}.limit(2)[id, title]\nreport = few <<T\n{% for r in rows %}* {{ r.title }}\n{% endfor %}\nT\nreport',
  )
  expect(ran).toMatchObject({
    results: { report: [{ content: expect.stringMatching(/^\* /) }] },
    problems: [],
  })
})

test('a template that cannot be read calls nothing', async () => {
  const ran = await shared.served.run(
    'few = Issue{state=open}.limit(2)[id, title]\nreport = few <<T\n{% for r in rows %}{{ r.title }}\nT\nreport',
  )
  expect(ran).toMatchObject({
    results: { report: [] },
    partial: ['failed'],
    problems: [expect.stringContaining('Cannot render the template: syntax error')],
  })
  expect(shared.tracker.log).toEqual([])
})

test.each([
  ['drip', { answerBytes: 10_000 }, 'is larger than 10000 bytes'],
  ['slow', { callMilliseconds: 60 }, 'within 60 ms'],
  ['html', {}, 'Expected JSON from'],
  ['deep', {}, 'levels deep'],
])('the real wire ends %s', async (kind, budget, message) => {
  const outcome = await run(
    shared.tracker.pinned,
    [{ id: 'rows', entity: 'Issue', operation: query('fault', { arguments: [arg('kind', kind)] }) }],
    { wire: shared.served.wire, budget },
  )
  expect(outcome.problems).toMatchObject([{ message: expect.stringContaining(message) }])
  expect(outcome.results).toMatchObject([{ rows: [], partial: 'failed' }])
})

test('a write whose connection broke is unknown, sent once', async () => {
  const create = {
    kind: 'call',
    capability: 'issue_create',
    identity: [],
    arguments: [arg('title', 'drop')],
  } as const
  const outcome = await run(shared.tracker.pinned, [{ id: 'made', entity: 'Issue', operation: create }], {
    wire: shared.served.wire,
  })
  expect(outcome.effects).toMatchObject([{ state: 'unknown', problem: { code: 'effect_unknown' } }])
  expect(shared.tracker.log).toEqual(['POST /issues'])
})
