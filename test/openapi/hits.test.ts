import { afterEach, expect, test } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { type Served, serveDocument } from '../execution/served.ts'

/* Answers of search engines and of data portals, whose rows stand deep in what describes the search. */

let served: Served | undefined
afterEach(async () => served?.close())

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: Json) => ({ type: 'object', properties })
const list = (items: Json) => ({ type: 'array', items })
const query = (name: string, schema: Json) => ({ in: 'query', name, schema })
const documentOf = (path: string, parameters: readonly Json[], schema: Json) => ({
  openapi: '3.0.3',
  servers: [{ url: 'https://api.example' }],
  paths: {
    [path]: {
      get: {
        parameters,
        responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
      },
    },
  },
})

test('the rows of a search engine are the documents that it found', async () => {
  const hit = object({
    _index: text,
    _id: text,
    _score: { type: 'number' },
    _source: object({ title: text, year: integer }),
  })
  const hits = object({
    total: object({ value: integer, relation: text }),
    max_score: { type: 'number' },
    hits: list(hit),
  })
  const shards = object({ total: integer, failed: integer })
  const answer = object({ took: integer, timed_out: { type: 'boolean' }, _shards: shards, hits })
  const parameters = [query('q', text), query('from', integer), query('size', integer)]
  const document = documentOf('/books/_search', parameters, answer)
  const api = (served = await serveDocument(document, (app) =>
    app.get('/books/_search', (c) => {
      const from = Number(c.req.query('from'))
      const found = [1, 2, 3].slice(from, from + 2).map((at) => ({
        _index: 'books',
        _id: `b${at}`,
        _score: 1,
        _source: { title: `Book ${at}`, year: 1900 + at },
      }))
      return c.json({
        took: 1,
        timed_out: false,
        hits: { total: { value: 3, relation: 'eq' }, max_score: 1, hits: found },
      })
    }),
  ))
  const { results, problems, partial } = await api.run('Search~"sea"{year>1901}.sort(year)[_id, title]')
  expect([problems, partial]).toEqual([[], [undefined]])
  expect(Object.values(results ?? {})).toEqual([
    [
      { _id: 'b2', title: 'Book 2' },
      { _id: 'b3', title: 'Book 3' },
    ],
  ])
})

test('a word of help beside the result is no column', async () => {
  const result = object({ count: integer, results: list(object({ id: text, title: text })) })
  const answer = object({ help: text, success: { type: 'boolean' }, result })
  const document = documentOf('/datasets', [query('rows', integer), query('start', integer)], answer)
  const api = (served = await serveDocument(document, (app) =>
    app.get('/datasets', (c) => {
      const results = c.req.query('start') === '0' ? [{ id: 'd1', title: 'Rain' }] : []
      return c.json({ help: 'https://api.example/help', success: true, result: { count: 1, results } })
    }),
  ))
  expect((await api.run('Dataset[title]')).results).toEqual({ Dataset: [{ title: 'Rain' }] })
})
