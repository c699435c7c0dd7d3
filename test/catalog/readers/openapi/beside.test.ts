import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { catalogIn, runOn, tableOf, whyIn } from '../imported.ts'

/* Members beside the list of an answer: a search that gives a summary with its hits. */

const text = { type: 'string' }
const count = { type: 'integer' }
const object = (properties: Json) => ({ type: 'object', properties })
const hits = { type: 'array', items: object({ title: text, url: text, kind: text }) }

function reading(answer: Json, parameters: readonly string[] = ['q']) {
  const get = {
    parameters: parameters.map((name) => ({ name, in: 'query', schema: text })),
    responses: { 200: { description: 'ok', content: { 'application/json': { schema: answer } } } },
  }
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://find.example' }],
    paths: { '/hits': { get } },
  }
  return readOpenapi({ path: 'find.json', id: 'find', file: { file: '', text: JSON.stringify(document) } })
}

const found = reading(
  object({
    summary: text,
    kind: text,
    scores: object({ best: { type: 'number' } }),
    hints: { type: 'array', items: object({ word: text }) },
    hits,
    total: count,
    next_page: text,
    took: count,
    request_id: text,
    nothing: { type: 'object' },
    '@odata.context': text,
  }),
)

test('rows hold what stands beside their list, and the table teaches it', () => {
  const catalog = catalogIn(found)
  expect(tableOf(catalog)).toContain('title, url, kind, summary, scores json, hints […]')
  expect(whyIn(found, 'hit_query')).toContain('`summary` stands beside the list: each row holds it.')
  const [query] = catalog.capabilities
  expect(query?.call?.kind === 'http' && query.call.request.response.beside).toEqual([
    ['summary'],
    ['scores'],
    ['hints'],
  ])
})

test('programs read it with the rows, and its lists as rows', async () => {
  const answer = {
    summary: 'Two hits.',
    kind: 'web',
    scores: { best: 0.9 },
    hints: [{ word: 'more' }],
    hits: [{ title: 'One', kind: 'page' }, { title: 'Two' }],
    total: 2,
  }
  const run = (program: string) => runOn(catalogIn(found), program, { '/hits': answer })
  expect((await run('Hit{}[title,summary,kind]')).rows).toEqual([
    [
      { title: 'One', summary: 'Two hits.', kind: 'page' },
      { title: 'Two', summary: 'Two hits.' },
    ],
  ])
  expect((await run('Hit{}.limit(1)[summary,best=scores.best]')).rows).toEqual([
    [{ summary: 'Two hits.', best: 0.9 }],
  ])
  expect((await run('Hit{}.limit(1).hints[word]')).rows).toEqual([[{ word: 'more' }]])
})

test('each page has its own, also where pages repeat', async () => {
  const paged = reading(object({ day: text, hits, cursor: text }), ['cursor'])
  const page = (day: string, title: string, cursor?: string): Json => ({
    day,
    hits: [{ title }],
    ...(cursor !== undefined && { cursor }),
  })
  const run = (answers: Record<string, Json>) =>
    runOn(catalogIn(paged), 'Hit{}.sort(day)[day,title]', answers)
  expect(await run({ '/hits': page('mon', 'One', 'b'), '/hits?cursor=b': page('tue', 'Two') })).toEqual({
    rows: [
      [
        { day: 'mon', title: 'One' },
        { day: 'tue', title: 'Two' },
      ],
    ],
    calls: ['GET /hits', 'GET /hits?cursor=b'],
  })
  await expect(
    run({ '/hits': page('mon', 'One', 'b'), '/hits?cursor=b': page('tue', 'One', 'c') }),
  ).rejects.toThrow('the same page twice')
})

test('rows that can be got alone have no such column, which is said', () => {
  const hit = object({ id: text, title: text })
  const answer = (schema: Json) => ({
    200: { description: 'ok', content: { 'application/json': { schema } } },
  })
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://find.example' }],
    paths: {
      '/hits': { get: { responses: answer(object({ summary: text, hits: { type: 'array', items: hit } })) } },
      '/hits/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: answer(hit) },
      },
    },
  }
  const read = readOpenapi({ path: '', id: 'find', file: { file: '', text: JSON.stringify(document) } })
  expect(catalogIn(read).entities[0]?.fields.map(({ name }) => name)).toEqual(['id', 'title'])
  expect(whyIn(read, 'hit_query')).toContain(
    '`summary` stands beside the list and is no column: a row that is read alone lacks it.',
  )
})
