import { afterEach, expect, test } from 'vitest'
import { schemaOfEndpoint } from '../../../src/adapters/catalogs/graphql-endpoint.ts'
import { readGraphql } from '../../../src/catalog/readers/graphql/read.ts'
import { type GraphqlServer, serveGraphql } from '../../graphql/graphql-server.ts'
import { museum } from '../../graphql/museum.ts'
import { json, serve } from '../wire/fixtures.ts'

let server: GraphqlServer | undefined
afterEach(() => server?.close())

const noSecret = async () => undefined

test('the schema of a server is a catalog of that server', async () => {
  server = await serveGraphql(museum())
  const text = await schemaOfEndpoint(server.url, noSecret)
  if (!text.ok) throw new Error(text.problems[0]?.message)
  const read = readGraphql({ path: 'museum', id: 'museum', file: 'museum.graphql', text: text.value })
  expect(read.catalog?.origin).toBe(new URL(server.url).origin)
  expect(read.catalog?.capabilities).toHaveLength(20)
})

test.each([
  [
    '{"errors": [{"message": "GraphQL introspection is not allowed"}]}',
    'GraphQL introspection is not allowed',
  ],
  ['{"data": {"__schema": {"types": 1}}}', 'its answer is no schema: '],
  ['<html>', 'its answer is no schema: '],
  ['{}', 'its answer has no schema'],
])('a server that answers %s gives none', async (answer, reason) => {
  const { origin } = await serve((_, response) => response.end(answer))
  const read = await schemaOfEndpoint(`${origin}/graphql`, noSecret)
  expect(read).toMatchObject({
    ok: false,
    problems: [{ code: 'endpoint_silent', message: expect.stringContaining(reason) }],
  })
})

test('a redirect is not followed, and a server that is not there is said', async () => {
  const { origin, seen } = await serve((_, response) => json(response, {}, 302, { location: '/other' }))
  for (const url of [`${origin}/graphql`, 'http://127.0.0.1:1/graphql'])
    expect(await schemaOfEndpoint(url, noSecret)).toMatchObject({ ok: false })
  expect(seen).toHaveLength(1)
})

test('a secret is sent only to a server that asks for it', async () => {
  const { origin, seen } = await serve((request, response) =>
    json(response, { errors: [{ message: 'Not yours' }] }, request.headers['authorization'] ? 200 : 401),
  )
  const read = await schemaOfEndpoint(`${origin}/graphql`, async () => 'key')
  expect(read).toMatchObject({ problems: [{ message: expect.stringContaining('Not yours') }] })
  expect(seen.map(({ headers }) => headers['authorization'])).toEqual([undefined, 'Bearer key'])
})
