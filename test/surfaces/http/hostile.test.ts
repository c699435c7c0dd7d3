import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, SEEDS, type TestServer } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.send('POST', '/v1/contexts', { intent: 'hostile', seeds: SEEDS })
  // `pc1` is there, and never of a program below: what is made up here must not review its own change by chance.
  await server.send('POST', '/v1/contexts/s0/plan', { program: 'e1("c2").delete()' })
})
afterAll(() => server.close())

/** What is wrong with an answer: a failure of the server, or a problem in another shape. Nothing for most. */
async function faultOf(response: Response): Promise<string | undefined> {
  const text = await response.text()
  const type = response.headers.get('content-type')
  const isOurs = response.status < 400 || type === 'application/problem+json; charset=utf-8'
  return response.status < 500 && isOurs ? undefined : `${response.status} ${type} ${text}`
}

const values = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record(
    {
      intent: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      logical_session_ref: fc.oneof(fc.constantFrom('s0', 's1', 's-1', 'l_', 's0 '), fc.jsonValue()),
      seeds: fc.oneof(
        fc.array(
          fc.record({
            api: fc.constantFrom('shop', '__proto__', ''),
            entity: fc.constantFrom('Customer', 'toString', ''),
          }),
          { maxLength: 4 },
        ),
        fc.jsonValue(),
      ),
      have: fc.oneof(fc.constantFrom('e1', 'none', 'e99', 'e-1'), fc.jsonValue()),
      program: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('e1', 'e1[', '<<A\nA', 'e1("c1").delete()'),
      ),
      plan: fc.oneof(fc.constantFrom('pc1', 'pc0', 'pc-1'), fc.jsonValue()),
      ['__proto__']: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
)
const paths = fc.constantFrom(
  '/v1/contexts',
  '/v1/contexts/s0/seeds',
  '/v1/contexts/s0/plan',
  '/v1/contexts/s0/run',
  '/v1/discover',
)

/** The status of a request whose target is written like this. */
async function statusOf(target: string): Promise<number | undefined> {
  const { host, hostname, port } = new URL(server.url)
  const sent = send({ hostname, port, path: target, headers: { host } }).end()
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  answer?.resume()
  return answer?.statusCode
}

test('the host of a target that is a whole URL counts, not that of the header', async () => {
  expect(await statusOf('/v1/health')).toBe(200)
  expect(await statusOf(`${server.url}/v1/health`)).toBe(200)
  for (const target of [
    'http://evil.example/v1/health',
    'HTTP://evil.example:80/v1/health',
    'http:///v1/health',
  ])
    expect([target, await statusOf(target)]).toEqual([target, expect.toBeOneOf([400, 403])])
})

test('answers any JSON at any route', async () => {
  await fc.assert(
    fc.asyncProperty(paths, values, async (path, value) => {
      const headers = { 'content-type': 'application/json' }
      expect(await faultOf(await server.send('POST', path, JSON.stringify(value), headers))).toBeUndefined()
    }),
    { numRuns: 150 },
  )
}, 60_000)

test('answers any name in a path', async () => {
  const tails = fc.constantFrom('', '/table', '/snapshots/1', '/snapshots/x')
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      tails,
      async (name, tail) => {
        expect(
          await faultOf(await server.send('GET', `/v1/contexts/${encodeURIComponent(name)}${tail}`)),
        ).toBeUndefined()
        expect(
          await faultOf(await server.send('GET', `/v1/pages/${encodeURIComponent(name)}`)),
        ).toBeUndefined()
      },
    ),
    { numRuns: 100 },
  )
}, 60_000)

test('has no effect but by a reviewed plan', () => {
  expect(server.api.requests.filter((request) => !request.startsWith('GET'))).toEqual([])
})
