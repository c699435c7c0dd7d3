import { afterAll, beforeAll, expect, test } from 'vitest'
import { GRAMMAR } from '../../../src/engine/index.ts'
import { type TestServer, jsonOf, startTestServer } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface Document {
  readonly openapi: string
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly security: readonly object[]; readonly responses: object }>>
    >
  >
}

test('describes every route, and what needs the token', async () => {
  const document = await jsonOf<Document>(await fetch(`${server.url}/openapi.json`))
  expect(document.openapi).toBe('3.1.0')
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { security, responses }]) =>
        `${method.toUpperCase()} ${path} ${security.length > 0 ? 'token' : 'public'} ${Object.keys(responses).join(' ')}`,
    ),
  )
  expect(routes).toEqual([
    'POST /v1/contexts token 200 201 default',
    'GET /v1/contexts token 200 default',
    'GET /v1/contexts/{ref} token 200 default',
    'DELETE /v1/contexts/{ref} token 204 default',
    'GET /v1/contexts/{ref}/table token 200 default',
    'POST /v1/contexts/{ref}/seeds token 200 201 default',
    'POST /v1/contexts/{ref}/plan token 200 default',
    'POST /v1/contexts/{ref}/run token 200 default',
    'GET /v1/pages/{handle} token 200 default',
    'GET /v1/contexts/{ref}/snapshots/{n} token 200 default',
    'GET /v1/registry token 200 default',
    'POST /v1/discover token 200 default',
    'GET /v1/grammar public 200 default',
    'GET /v1/health public 200 default',
    'GET /v1/ready public 200 default',
    'GET /v1/traces token 200 default',
    'GET /v1/traces/{id} token 200 default',
    'GET /v1/traces/{id}/stream token 200 default',
    'GET /metrics token 200 default',
  ])
})

test('takes its schemas from the engine', async () => {
  const document: unknown = await (await fetch(`${server.url}/openapi.json`)).json()
  expect(document).toMatchObject({
    paths: {
      '/v1/contexts': {
        post: {
          requestBody: {
            content: {
              'application/json': {
                schema: { properties: { intent: { type: 'string' }, seeds: { type: 'array' } } },
              },
            },
          },
        },
      },
    },
  })
})

test('gives the grammar, byte for byte', async () => {
  const response = await fetch(`${server.url}/v1/grammar`)
  expect([response.headers.get('content-type'), await response.text()]).toEqual([
    'text/plain; charset=utf-8',
    GRAMMAR,
  ])
})
