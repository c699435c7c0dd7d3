import { afterEach, expect, test } from 'vitest'
import type { Paging } from '../../../src/catalog/calls/http-request.ts'
import { readPage } from '../../../src/execution/executor.ts'
import { nextLink } from '../../../src/execution/http/paging.ts'
import { arg, query, run, valuesOf, worldOf } from '../plans.ts'
import {
  capability,
  entity,
  field,
  object,
  paging,
  parameter,
  request,
  startTracker,
  integer,
  type Tracker,
} from '../tracker.ts'

let tracker: Tracker | undefined
afterEach(async () => tracker?.close())

const many = { path: ['items'], single: false, scalar: false }
const thing = entity('Thing', [field('id', integer)])

/** A tracker whose `thing_query` pages in the given way. */
async function pagingTracker(how: Partial<Paging>, method: 'GET' | 'POST' = 'GET'): Promise<Tracker> {
  const template = request(method, '/things', {
    response: many,
    paging: paging(how),
    ...(method === 'POST' && { body: object('q') }),
  })
  const thingQuery = capability('thing_query', 'Thing', 'query', template, {
    effect: 'read',
    parameters: [parameter('q')],
  })
  return (tracker = await startTracker(0, { entities: [thing], capabilities: [thingQuery] }))
}

/** Things `from` to `to`, the last included. */
const things = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({ id: from + index }))

/** Counts all things: what makes a read go on to the end. */
async function countAll(on: Tracker) {
  const outcome = await run(on.pinned, [
    { id: 'things', entity: 'Thing', operation: query('thing_query') },
    {
      id: 'n',
      operation: { kind: 'aggregate', source: 'things', columns: [{ name: 'n', function: 'count' }] },
    },
  ])
  return {
    rows: valuesOf(outcome.results[0]),
    problems: outcome.problems.map(({ code }) => code),
    log: on.log,
  }
}

test('counts pages until an empty one', async () => {
  const on = await pagingTracker({ parameters: [{ kind: 'counter', name: 'p', start: 1, step: 1 }] })
  on.app.get('/things', (c) => {
    const page = Number(c.req.query('p'))
    return c.json({ items: page < 3 ? things(page * 10, page * 10 + 3) : [] })
  })
  expect(await countAll(on)).toEqual({
    rows: [{ n: 8 }],
    problems: [],
    log: ['GET /things?p=1', 'GET /things?p=2', 'GET /things?p=3'],
  })
})

test('a page shorter than the stated size ends an offset read', async () => {
  const on = await pagingTracker({
    parameters: [
      { kind: 'counter', name: 'offset', start: 0, step: 4 },
      { kind: 'fixed', name: 'limit', value: 4, isPageSize: true },
    ],
    pageSize: 4,
  })
  on.app.get('/things', (c) => {
    const offset = Number(c.req.query('offset'))
    return c.json({ items: things(offset + 1, Math.min(offset + 4, 10)) })
  })
  expect(await countAll(on)).toEqual({
    rows: [{ n: 10 }],
    problems: [],
    log: ['GET /things?offset=0&limit=4', 'GET /things?offset=4&limit=4', 'GET /things?offset=8&limit=4'],
  })
})

test('follows cursors past short pages', async () => {
  const on = await pagingTracker({
    parameters: [
      { kind: 'cursor', name: 'after', field: 'next' },
      { kind: 'fixed', name: 'limit', value: 50, isPageSize: true },
    ],
    responsePath: ['meta'],
    pageSize: 50,
  })
  on.app.get('/things', (c) => {
    const after = Number(c.req.query('after') ?? 0)
    return c.json({
      items: things(after + 1, after + 2),
      meta: { next: after < 4 ? String(after + 2) : null },
    })
  })
  expect(await countAll(on)).toEqual({
    rows: [{ n: 6 }],
    problems: [],
    log: ['GET /things?limit=50', 'GET /things?after=2&limit=50', 'GET /things?after=4&limit=50'],
  })
})

test('stops where the template says', async () => {
  const on = await pagingTracker({
    parameters: [{ kind: 'counter', name: 'page', start: 0, step: 1 }],
    stop: { field: 'last', equals: true },
  })
  on.app.get('/things', (c) => {
    const page = Number(c.req.query('page'))
    return c.json({ items: things(page * 2, page * 2 + 1), last: page === 1 })
  })
  expect(await countAll(on)).toMatchObject({
    rows: [{ n: 4 }],
    log: ['GET /things?page=0', 'GET /things?page=1'],
  })
})

test('sends paging inside a body', async () => {
  const on = await pagingTracker(
    { location: 'body', bodyPath: ['page'], parameters: [{ kind: 'cursor', name: 'after', field: 'next' }] },
    'POST',
  )
  const bodies: unknown[] = []
  on.app.post('/things', async (c) => {
    const body: { readonly page?: { readonly after?: number } } = await c.req.json()
    bodies.push(body)
    return c.json(body.page?.after === undefined ? { items: things(1, 2), next: 2 } : { items: things(3, 3) })
  })
  expect(await countAll(on)).toMatchObject({ rows: [{ n: 3 }], problems: [] })
  expect(bodies).toEqual([{ page: {} }, { page: { after: 2 } }])
})

test('follows the next link of a header', async () => {
  const on = await pagingTracker({ location: 'link_header' })
  on.app.get('/things', (c) => {
    const from = Number(c.req.query('from') ?? 1)
    if (from > 2) return c.json({ items: things(from, from) })
    return c.json({ items: things(from, from) }, 200, {
      link: `</things?from=1>; rel="first", </things?from=${from + 1}>; rel="next"`,
    })
  })
  expect(await countAll(on)).toMatchObject({
    rows: [{ n: 3 }],
    problems: [],
    log: ['GET /things', 'GET /things?from=2', 'GET /things?from=3'],
  })
})

test('follows the header that the catalog names', async () => {
  const on = await pagingTracker({ location: 'link_header', nextHeader: 'next-page' })
  on.app.get('/things', (c) => {
    const from = Number(c.req.query('_token') ?? 1)
    const next = from < 3 ? { 'next-page': `${on.pinned.catalog.origin}/things?_token=${from + 1}` } : {}
    return c.json({ items: things(from, from) }, 200, next)
  })
  expect(await countAll(on)).toMatchObject({
    rows: [{ n: 3 }],
    log: ['GET /things', 'GET /things?_token=2', 'GET /things?_token=3'],
  })
})

test('sends a header of the page before, until it is empty', async () => {
  const on = await pagingTracker({
    parameters: [{ kind: 'cursor', name: 'p', field: 'x-next-page', ofHeader: true }],
  })
  on.app.get('/things', (c) => {
    const page = Number(c.req.query('p') ?? 1)
    return c.json({ items: things(page, page) }, 200, { 'x-next-page': page < 3 ? String(page + 1) : '' })
  })
  expect(await countAll(on)).toMatchObject({
    rows: [{ n: 3 }],
    log: ['GET /things', 'GET /things?p=2', 'GET /things?p=3'],
  })
})

test.each([
  ['a page that may not be all', 2, false, 'perhaps_more'],
  ['a short page', 1, false, undefined],
  ['pages that a header ends', 2, true, undefined],
])('%s of a list whose paging is a guess', async (_title, count, hasNext, partial) => {
  const guess = { location: 'link_header', nextHeader: 'next-page', isGuess: true, pageSize: 2 } as const
  const on = await pagingTracker(guess)
  on.app.get('/things', (c) => {
    const isSecond = c.req.query('_token') !== undefined
    const next = hasNext && !isSecond ? { 'next-page': '/things?_token=2' } : {}
    return c.json({ items: isSecond ? things(3, 4) : things(1, count) }, 200, next)
  })
  const outcome = await run(on.pinned, [
    { id: 'things', entity: 'Thing', operation: query('thing_query') },
    {
      id: 'n',
      operation: { kind: 'aggregate', source: 'things', columns: [{ name: 'n', function: 'count' }] },
    },
  ])
  expect(outcome.results.map((result) => result.partial)).toEqual([partial])
})

test('follows a next URL in the body', async () => {
  const on = await pagingTracker({ location: 'next_url', nextUrlField: '@odata.nextLink' })
  on.app.get('/things', (c) => {
    const skip = Number(c.req.query('$skip') ?? 0)
    const next = skip < 2 ? { '@odata.nextLink': `${on.pinned.catalog.origin}/things?$skip=${skip + 1}` } : {}
    return c.json({ items: things(skip, skip), ...next })
  })
  expect(await countAll(on)).toMatchObject({
    rows: [{ n: 3 }],
    log: ['GET /things', 'GET /things?$skip=1', 'GET /things?$skip=2'],
  })
})

test('refuses a next URL on another origin', async () => {
  const on = await pagingTracker({ location: 'next_url', nextUrlField: 'next' })
  on.app.get('/things', (c) => c.json({ items: things(1, 2), next: 'http://169.254.169.254/latest' }))
  const outcome = await run(on.pinned, [
    { id: 'things', entity: 'Thing', operation: query('thing_query') },
    {
      id: 'n',
      operation: { kind: 'aggregate', source: 'things', columns: [{ name: 'n', function: 'count' }] },
    },
  ])
  expect(outcome.results).toEqual([
    { label: 'n', columns: ['n'], rows: [{ values: { n: 2 } }], partial: 'failed' },
  ])
  expect(outcome.problems).toMatchObject([
    {
      code: 'next_page_refused',
      message:
        '`tracker.Thing`: the next page is on http://169.254.169.254, which the catalog does not declare.',
    },
  ])
})

test.each([
  ['the same cursor', { parameters: [{ kind: 'cursor', name: 'after', field: 'next' }] } as const, 2],
  ['the same rows', { parameters: [{ kind: 'counter', name: 'page', start: 1, step: 1 }] } as const, 2],
])('stops when the API repeats %s', async (_, how, calls) => {
  const on = await pagingTracker(how)
  on.app.get('/things', (c) => c.json({ items: things(1, 2), next: 'again' }))
  const counted = await countAll(on)
  expect(counted.problems).toEqual(['page_repeated'])
  expect(counted.log).toHaveLength(calls)
})

test('pages whose long texts and lists differ at their end are different pages', async () => {
  const [text, list] = ['x'.repeat(100_000), Array.from({ length: 5000 }, () => 1)]
  const [id, end] = [1, 'y'.repeat(10)]
  const rows = [
    { id, text: text + text, list },
    { id, text: text + end.repeat(10_000), list },
    { id, text: text + text, list: [...list.slice(1), 2] },
  ]
  const on = await pagingTracker({ parameters: [{ kind: 'counter', name: 'p', start: 0, step: 1 }] })
  on.app.get('/things', (c) => c.json({ items: rows.slice(Number(c.req.query('p'))).slice(0, 1) }))
  expect(await countAll(on)).toMatchObject({ rows: [{ n: 3 }], problems: [] })
})

test('a continuation starts where the run stopped', async () => {
  tracker = await startTracker(25)
  const world = worldOf(tracker.pinned)
  const first = await run(tracker.pinned, [
    { id: 'issues', entity: 'Issue', operation: query('issue_query', { arguments: [arg('state', 'open')] }) },
    {
      id: 'titles',
      entity: 'Issue',
      operation: { kind: 'project', source: 'issues', columns: [{ name: 'title', path: ['title'] }] },
    },
  ])
  const continuation = first.results[0]?.continuation
  if (!continuation) throw new Error('no continuation')
  expect(continuation).toEqual({
    entity: { catalog: 'tracker', digest: tracker.pinned.digest, entity: 'Issue' },
    capability: 'issue_query',
    state: {
      arguments: { state: 'open' },
      filters: [],
      page: {
        values: { page: 2 },
        skip: 0,
        read: 10,
        largest: 10,
        seen: [expect.any(String)],
        marks: [expect.any(String)],
      },
      columns: [{ name: 'title', path: ['title'] }],
    },
  })
  const next = await readPage(JSON.parse(JSON.stringify(continuation)), world)
  expect(valuesOf(next.result)).toEqual([{ title: 'Issue 21' }, { title: 'Issue 23' }, { title: 'Issue 25' }])
  expect(next.result.partial).toBeUndefined()
  expect(next.result.continuation).toBeUndefined()
})

test('a limited page leaves its rest to the next', async () => {
  tracker = await startTracker(12)
  const world = worldOf(tracker.pinned)
  const first = await run(tracker.pinned, [
    { id: 'issues', entity: 'Issue', operation: query('issue_query', { pageSize: 4 }) },
  ])
  const ids: unknown[] = []
  let result = first.results[0]
  for (let pages = 0; result && pages < 10; pages++) {
    ids.push(...result.rows.map(({ values }) => values['id']))
    result = result.continuation && (await readPage(result.continuation, world, 3)).result
  }
  expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(tracker.log[0]).toBe('GET /issues?page=1&per_page=4')
})

test('never stores a declared credential of the query', async () => {
  const on = await pagingTracker({ location: 'next_url', nextUrlField: 'next' })
  on.app.get('/things', (c) => c.json({ items: things(1, 1), next: '/things?page=2&api_key=s3cret' }))
  const catalog = {
    ...on.pinned.catalog,
    auth: { scheme: 'api_key', in: 'query', name: 'api_key', secret: 'env:KEY' },
  } as const
  const pinned = { ...on.pinned, catalog }
  const outcome = await run(pinned, [{ id: 'things', entity: 'Thing', operation: query('thing_query') }])
  expect(outcome.results[0]?.continuation?.state).toMatchObject({
    page: { next: '/things?page=2' },
  })
  expect(JSON.stringify(outcome)).not.toContain('s3cret')
})

test.each([
  ['<https://a.example/x?page=2>; rel="next"', 'https://a.example/x?page=2'],
  [
    '<https://a.example/1>; rel=prev, <https://a.example/2>; title="a, b"; rel="last next"',
    'https://a.example/2',
  ],
  ['<https://a.example/1>; rel="prev"', undefined],
  ['', undefined],
])('reads the next link of %s', (header, expected) => {
  expect(nextLink(header)).toBe(expected)
})
