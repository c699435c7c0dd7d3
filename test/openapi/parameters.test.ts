import { afterEach, expect, test } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { type Served, serveDocument } from '../execution/served.ts'

/* How parameters are written in the query. */

let served: Served | undefined
afterEach(async () => served?.close())

test('a parameter whose content is JSON is one JSON text, objects and lists alike', async () => {
  const text = { type: 'string' }
  const json = (name: string, schema: Json) => ({
    in: 'query',
    name,
    content: { 'application/json': { schema } },
  })
  const filter = { type: 'object', properties: { limit: { type: 'integer' }, where: { type: 'object' } } }
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/stones': {
        get: {
          parameters: [json('filter', filter), json('fields', { type: 'array', items: text })],
          responses: {
            200: {
              description: 'ok',
              content: {
                'application/json': {
                  schema: { type: 'array', items: { type: 'object', properties: { id: text, asked: text } } },
                },
              },
            },
          },
        },
      },
    },
  }
  served = await serveDocument(document, (app) =>
    app.get('/stones', (c) =>
      c.json([{ id: 'a', asked: `${c.req.query('filter')} ${c.req.queries('fields')?.join(' and ')}` }]),
    ),
  )
  const { results, problems, rejected } = await served.run(
    'Stone{filter={limit: 2, where: {colour: "grey"}}, fields=[id, asked]}[asked]',
  )
  expect([rejected, problems]).toEqual([undefined, []])
  expect(Object.values(results ?? {})).toEqual([
    [{ asked: '{"limit":2,"where":{"colour":"grey"}} ["id","asked"]' }],
  ])
})
