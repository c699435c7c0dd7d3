import type { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { type Served, serveDocument } from '../execution/served.ts'

/* Lists of documents that do not declare what is answered, and rows whose path takes an id or a name. */

let served: Served | undefined
afterEach(async () => served?.close())

const ok = { responses: { 200: { description: 'ok' } } }
const id = (schema: Json, description: string) => ({
  in: 'path',
  name: 'id',
  required: true,
  schema,
  description,
})

/** An API of documents of which only the paths and parameters are declared. */
async function undeclared(routes: (app: Hono) => void): Promise<Served> {
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/stones': { get: { parameters: [{ in: 'query', name: 'page', schema: { type: 'integer' } }], ...ok } },
      '/stones/{id}': { get: { parameters: [id({ type: 'integer' }, 'The id')], ...ok } },
    },
  }
  return (served = await serveDocument(document, routes))
}

/** The rows of the one result of a program. */
async function rowsOf({ run }: Served, program: string) {
  const { results, problems } = await run(program)
  expect(problems).toEqual([])
  return Object.values(results ?? {})[0]
}

const stone = (number: number) => ({ id: number, colour: number % 2 === 0 ? 'grey' : 'red', tags: ['old'] })

test('the one list of an undeclared answer holds the rows, over all pages', async () => {
  const api = await undeclared((app) =>
    app.get('/stones', (c) => {
      const page = Number(c.req.query('page'))
      return c.json({ status: 'ok', stones: page > 2 ? [] : [stone(page * 2 - 1), stone(page * 2)] })
    }),
  )
  expect(await rowsOf(api, 'Stone.aggregate(n=count)')).toEqual([{ n: 4 }])
  expect(api.log).toHaveLength(3)
  expect(await rowsOf(api, 'Stone{value.colour=grey}.sort(id, desc)[id, value.colour]')).toEqual([
    { id: 4, 'value.colour': 'grey' },
    { id: 2, 'value.colour': 'grey' },
  ])
})

test.each<[string, Json]>([
  ['a row with an id', { id: 7, stones: [{ id: 1 }] }],
  ['two lists', { stones: [{ id: 1 }], trees: [{ id: 2 }] }],
  ['a list of texts', { stones: ['a', 'b'] }],
  ['an empty list of another name beside text', { name: 'quarry', tags: [] }],
])('an undeclared answer stays whole: %s', async (_, answer) => {
  const api = await undeclared((app) => app.get('/stones', (c) => c.json(answer)))
  expect(await rowsOf(api, 'Stone[value]')).toEqual([{ value: answer }])
})

test('the only object of an undeclared answer is the row where it holds the key', async () => {
  const api = await undeclared((app) => {
    app.get('/stones', (c) => c.json({ stones: [stone(1), stone(2)] }))
    app.get('/stones/1', (c) => c.json({ stone: stone(1) }))
    app.get('/stones/2', (c) => c.json({ quarry: { name: 'north' } }))
  })
  expect(await rowsOf(api, 'Stone(1)[id, value.colour]')).toEqual([{ id: 1, 'value.colour': 'red' }])
  expect(await rowsOf(api, 'Stone(2)[value]')).toEqual([{ value: { quarry: { name: 'north' } } }])
})

test('a path that takes a string or an integer takes the name, which rows of lists have', async () => {
  const beast = {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' }, mass: { type: 'integer' } },
  }
  const named = { type: 'object', properties: { name: { type: 'string' }, url: { type: 'string' } } }
  const answers = (schema: Json) => ({
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  })
  const parameters = [id({ type: 'string' }, 'This parameter can be a string or an integer.')]
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/beasts': { get: answers({ type: 'array', items: named }) },
      '/beasts/{id}': { get: { parameters, ...answers(beast) } },
    },
  }
  const all = [
    { id: 1, name: 'ox', mass: 800 },
    { id: 2, name: 'elk', mass: 400 },
  ]
  const api = (served = await serveDocument(document, (app) => {
    app.get('/beasts', (c) => c.json(all.map(({ name }) => ({ name, url: `/beasts/${name}` }))))
    app.get('/beasts/:id', (c) => {
      const asked = c.req.param('id')
      return c.json(all.find(({ id: number, name }) => asked === name || asked === String(number)) ?? null)
    })
  }))
  expect(await rowsOf(api, 'Beast("elk")[id, mass]')).toEqual([{ id: 2, mass: 400 }])
  expect(await rowsOf(api, 'Beast(1)[name]')).toEqual([{ name: 'ox' }])
  expect(await rowsOf(api, 'Beast.sort(mass, desc).limit(1)[name, mass]')).toEqual([
    { name: 'ox', mass: 800 },
  ])
})

test('a path below a row takes the number of a row whose key is its name', async () => {
  const beast = {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' }, mass: { type: 'integer' } },
  }
  const track = { type: 'object', properties: { place: { type: 'string' } } }
  const answers = (schema: Json) => ({
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  })
  const either = id({ type: 'string' }, 'This parameter can be a string or an integer.')
  const below = { ...id({ type: 'string', pattern: '^\\d+$' }, ''), name: 'beast_id' }
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/beasts/{id}': { get: { parameters: [either], ...answers(beast) } },
      '/beasts/{beast_id}/tracks': {
        get: { parameters: [below], ...answers({ type: 'array', items: track }) },
      },
    },
  }
  const api = (served = await serveDocument(document, (app) => {
    app.get('/beasts/:id', (c) => c.json({ id: 2, name: 'elk', mass: 400 }))
    app.get('/beasts/2/tracks', (c) => c.json([{ place: 'ford' }]))
  }))
  expect(await rowsOf(api, 'Beast("elk").tracks[place]')).toEqual([{ place: 'ford' }])
  expect(await rowsOf(api, 'Beast("elk") => _.tracks[place]')).toEqual([{ place: 'ford' }])
})
