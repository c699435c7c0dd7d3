import type { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { type Served, serveDocument } from '../execution/served.ts'

/* APIs that redirect to the same address with a slash at its end. */

let served: Served | undefined
afterEach(async () => served?.close())

const object = (properties: Json) => ({ type: 'object', properties })
const stones = { type: 'array', items: object({ id: { type: 'integer' } }) }
const ok = (schema: Json) => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
})

async function quarry(routes: (app: Hono) => void): Promise<Served> {
  const schema = object({ colour: { type: 'string' } })
  const requestBody = { content: { 'application/json': { schema } } }
  const colour = { in: 'query', name: 'colour', schema: { type: 'string' } }
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: { '/stones': { get: { parameters: [colour], ...ok(stones) }, post: { requestBody, ...ok({}) } } },
  }
  return (served = await serveDocument(document, routes))
}

test.each([301, 302, 307, 308] as const)('a read goes there, with its query: %i', async (status) => {
  const api = await quarry((app) => {
    app.get('/stones', (c) => c.redirect('/stones/', status))
    app.get('/stones/', (c) => c.json([{ id: 1 }]))
  })
  expect(await api.run('Stone{colour=red}[id]')).toMatchObject({
    results: { Stone: [{ id: 1 }] },
    problems: [],
  })
  expect(api.log).toEqual(['GET /stones?colour=red', 'GET /stones/?colour=red'])
})

test.each([
  [308, '0 done', ['POST /stones', 'POST /stones/']],
  [307, '0 done', ['POST /stones', 'POST /stones/']],
  [301, '0 unknown', ['POST /stones']],
  [302, '0 unknown', ['POST /stones']],
] as const)('a write goes there as the same call alone: %i', async (status, effect, calls) => {
  const api = await quarry((app) => {
    app.post('/stones', (c) => c.redirect('/stones/', status))
    app.post('/stones/', (c) => c.json(null))
    app.get('/stones/', (c) => c.json([]))
  })
  expect((await api.run('Stone.create(colour=red)')).effects).toEqual([effect])
  expect(api.log).toEqual(calls)
})

test('a circle and another address end the read', async () => {
  const api = await quarry((app) => {
    app.get('/stones', (c) => c.redirect(c.req.query('colour') === 'red' ? '/stones/' : '/others', 301))
    app.get('/stones/', (c) => c.redirect('/stones', 301))
    app.get('/others', (c) => c.json([{ id: 1 }]))
  })
  expect(await api.run('Stone{colour=red}[id]')).toMatchObject({ partial: ['failed'] })
  expect(await api.run('Stone[id]')).toMatchObject({ partial: ['failed'] })
  expect(api.log).toEqual(['GET /stones?colour=red', 'GET /stones/?colour=red', 'GET /stones'])
})
