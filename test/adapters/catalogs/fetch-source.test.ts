import { afterEach, expect, test } from 'vitest'
import { fetchSource } from '../../../src/adapters/catalogs/fetch-source.ts'
import { type GraphqlServer, serveGraphql } from '../../graphql/graphql-server.ts'
import { museum } from '../../graphql/museum.ts'
import { serve } from '../wire/fixtures.ts'

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
