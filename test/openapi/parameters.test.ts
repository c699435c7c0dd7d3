import { afterEach, describe, expect, test } from 'vitest'
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

describe('objects and lists', () => {
  const text = { type: 'string' }
  const integer = { type: 'integer' }
  const object = (properties: Json) => ({ type: 'object', properties })
  const list = (items: Json) => ({ type: 'array', items })
  const free = { type: 'object', additionalProperties: text }
  const deep = { style: 'deepObject', explode: true }
  const parameter = (name: string, schema: Json, how: object = {}) => ({ in: 'query', name, schema, ...how })
  const parameters = [
    parameter('filter', free, deep),
    parameter('where', object({ colour: text, age: object({ gt: integer }), tags: list(text) }), deep),
    parameter('expand', list(text), deep),
    parameter('box', object({ north: integer, east: integer }), { explode: false }),
    parameter('labels', free),
    parameter('raw', { type: 'object' }),
    parameter('spaced', list(text), { style: 'spaceDelimited', explode: false }),
    parameter('piped', list(text), { style: 'pipeDelimited', explode: false }),
    parameter('joined', list(text), { explode: false }),
    parameter('repeated', list(text)),
  ]
  const rows = list(object({ id: text }))
  const line = object({ price: integer })
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/stones': {
        get: {
          parameters,
          responses: { 200: { description: 'ok', content: { 'application/json': { schema: rows } } } },
        },
        post: {
          requestBody: {
            content: {
              'application/x-www-form-urlencoded': {
                encoding: { metadata: deep, lines: deep, tags: deep },
                schema: object({ metadata: free, lines: list(line), tags: list(text), plain: list(text) }),
              },
            },
          },
          responses: { 200: { description: 'ok' } },
        },
      },
    },
  }

  test.each([
    ['filter={status: "open", kind: "ore"}', 'filter[status]=open&filter[kind]=ore'],
    ['where_colour=red, where_age={gt: 3}', 'where[colour]=red&where[age][gt]=3'],
    ['where_tags=["a", "b"]', 'where[tags][]=a&where[tags][]=b'],
    ['expand=["a", "b"]', 'expand[]=a&expand[]=b'],
    ['box={north: 3, east: 4}', 'box=north,3,east,4'],
    ['labels={team: "x"}', 'team=x'],
    ['raw={team: "x"}', 'raw={"team":"x"}'],
    ['spaced=["a", "b"]', 'spaced=a b'],
    ['piped=["a", "b"]', 'piped=a|b'],
    ['joined=["a", "b"]', 'joined=a,b'],
    ['repeated=["a", "b"]', 'repeated=a&repeated=b'],
  ])('are written as the document says: %s', async (condition, query) => {
    served = await serveDocument(document, (app) => app.get('/stones', (c) => c.json([{ id: 'a' }])))
    expect(await served.run(`Stone{${condition}}[id]`)).toMatchObject({ problems: [] })
    expect(served.log.map(decodeURIComponent)).toEqual([`GET /stones?${query}`])
  })

  test('are written in a form as its encoding says', async () => {
    const forms: string[] = []
    served = await serveDocument(document, (app) =>
      app.post('/stones', async (c) => {
        forms.push(decodeURIComponent(await c.req.text()))
        return c.json(null)
      }),
    )
    const given = 'metadata={order: "7"}, lines=[{price: 5}, {price: 6}], tags=["a"], plain=["b", "c"]'
    expect(await served.run(`Stone.create(${given})`)).toMatchObject({ problems: [] })
    expect(forms).toEqual(['metadata[order]=7&lines[0][price]=5&lines[1][price]=6&tags[]=a&plain=b&plain=c'])
  })
})

test('a parameter of other values than the column of its name has a name of its own', async () => {
  const words = (...options: string[]) => ({ type: 'string', enum: options })
  const filter = (name: string, schema: Json) => ({ in: 'query', name, schema })
  const row = {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      status: words('paid', 'due'),
      total: { type: 'integer' },
      kind: words('ORE'),
    },
  }
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/orders': {
        get: {
          parameters: [
            filter('status', words('open', 'closed')),
            filter('total', { type: 'boolean' }),
            filter('kind', words('ore', 'salt')),
          ],
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { schema: { type: 'array', items: row } } },
            },
          },
        },
      },
    },
  }
  const rows = [
    { id: 1, status: 'paid', total: 4, kind: 'ORE' },
    { id: 2, status: 'due', total: 5, kind: 'ORE' },
  ]
  const api = (served = await serveDocument(document, (app) => app.get('/orders', (c) => c.json(rows))))
  const idsOf = async (conditions: string) => (await api.run(`Order{${conditions}}[id]`)).results
  expect(await idsOf('status=paid')).toEqual({ Order: [{ id: 1 }] })
  expect(await idsOf('total=5, query_total=true')).toEqual({ Order: [{ id: 2 }] })
  expect(await idsOf('query_status=open, kind=ore')).toEqual({ Order: [{ id: 1 }, { id: 2 }] })
  expect(api.log).toEqual(['GET /orders', 'GET /orders?total=true', 'GET /orders?status=open&kind=ore'])
})
