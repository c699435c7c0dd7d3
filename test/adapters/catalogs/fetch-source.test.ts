import { afterEach, expect, test } from 'vitest'
import { fetchSource } from '../../../src/adapters/catalogs/fetch-source.ts'
import { type GraphqlServer, serveGraphql } from '../../graphql/graphql-server.ts'
import { museum } from '../../graphql/museum.ts'
import { json, serve } from '../wire/fixtures.ts'

let server: GraphqlServer | undefined
afterEach(() => server?.close())

const noSecret = async () => undefined

test.each([
  ['/docs', '{"info": {}, "swagger": "2.0"}', 'openapi'],
  ['/openapi.yaml', 'openapi: 3.1.0\ninfo: {}\n', 'openapi'],
  ['/schema.graphql', 'type Query { a: Int }', 'graphql'],
  ['/introspection', '{"data": {"__schema": {}}}', 'graphql'],
  ['/domain.yaml', 'version: 1\nentities: {}\n', 'plasm'],
])('what is at %s is known by its text', async (path, text, kind) => {
  const { origin } = await serve((_, response) => response.end(text))
  expect(await fetchSource(`${origin}${path}`, undefined, noSecret)).toEqual({
    ok: true,
    value: { kind, text },
  })
})

test('an address without a document is asked for its schema', async () => {
  server = await serveGraphql(museum())
  const read = await fetchSource(server.url, undefined, noSecret)
  expect(read).toMatchObject({ ok: true, value: { kind: 'graphql' } })
  expect(await fetchSource(server.url, 'graphql', noSecret)).toEqual(read)
})

test('a web page is neither, and an address that does not answer says both', async () => {
  const { origin } = await serve((_, response) => response.end('<!doctype html><title>Hello</title>'))
  const page = await fetchSource(origin, undefined, noSecret)
  expect(page).toMatchObject({ problems: [{ code: 'endpoint_silent' }] })
  const silent = await fetchSource('http://127.0.0.1:1/', undefined, noSecret)
  expect(silent).toMatchObject({ problems: [{ code: 'catalog_unreadable' }, { code: 'endpoint_silent' }] })
})

test('a server that asks for a credential is told from one that refuses it, and nothing is guessed', async () => {
  const { origin, seen } = await serve((_, response) => json(response, {}, 401))
  const [found, refused, endpoint] = await Promise.all([
    fetchSource(`${origin}/openapi.json`, undefined, noSecret),
    fetchSource(`${origin}/openapi.json`, undefined, async () => 'wrong'),
    fetchSource(`${origin}/graphql`, 'graphql', noSecret),
  ])
  expect(found).toMatchObject({
    problems: [
      {
        code: 'source_locked',
        message: `${origin}/openapi.json asks for a credential: it answers 401.`,
        next: 'Set the secret as an environment variable, and add `--auth env:NAME` with its name.',
      },
    ],
  })
  expect(refused).toMatchObject({
    problems: [{ code: 'source_locked', next: expect.stringContaining('was sent, and refused') }],
  })
  expect(endpoint).toMatchObject({ problems: [{ code: 'source_locked' }] })
  expect(seen.filter(({ method, url }) => method === 'POST' && url !== '/graphql')).toEqual([])
})
