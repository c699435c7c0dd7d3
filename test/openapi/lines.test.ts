import { afterEach, expect, test } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { type Served, serveDocument } from '../execution/served.ts'

/* Answers with a JSON value in each line. */

let served: Served | undefined
afterEach(async () => served?.close())

const game = { type: 'object', properties: { id: { type: 'string' }, moves: { type: 'integer' } } }

/** An API of games, which come as this text. */
async function games(text: string, type = 'application/x-ndjson', schema: Json = game) {
  const content = { [type]: { schema }, 'text/plain': { schema: { type: 'string' } } }
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: { '/games': { get: { responses: { 200: { description: 'ok', content } } } } },
  }
  let accept = ''
  const api = (served = await serveDocument(document, (app) =>
    app.get('/games', (c) => {
      accept = c.req.header('accept') ?? ''
      return c.text(text, 200, { 'content-type': type })
    }),
  ))
  return { ...(await api.run('Game.sort(moves, desc)[id, moves]')), accept }
}

const LINES = '{"id":"a","moves":40}\n\n{"id":"b","moves":60}\n'
const rows = [
  { id: 'b', moves: 60 },
  { id: 'a', moves: 40 },
]

test.each<[string, string, string, Json]>([
  ['lines', LINES, 'application/x-ndjson', game],
  ['lines that the document calls a list', LINES, 'application/jsonl', { type: 'array', items: game }],
  ['a text sequence', LINES.replaceAll(/^(?=\{)/gm, '\u001e'), 'application/json-seq', game],
  ['a list after all', JSON.stringify(rows), 'application/x-ndjson', game],
])('are rows: %s', async (_, text, type, schema) => {
  const { results, problems, accept } = await games(text, type, schema)
  expect([Object.values(results ?? {}), problems]).toEqual([[rows], []])
  expect(accept).toContain('application/x-ndjson')
})

test('a line that is no JSON is said', async () => {
  const { problems } = await games('{"id":"a"}\n<html>')
  expect(problems).toEqual([expect.stringContaining('Expected JSON')])
})

test('no lines are no rows', async () => {
  expect((await games('')).problems).toEqual([])
})
