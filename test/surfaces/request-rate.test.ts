import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthTestServer, startAuthTestServer } from './auth-test-server.ts'
import { jsonOf } from './test-server.ts'

/* A rate of which no token comes back while the test runs: three requests of each principal, then no more. */

let server: AuthTestServer
beforeAll(async () => {
  server = await startAuthTestServer({ auth: 'optional', request_rate: '1/h burst 3' })
})
afterAll(() => server.close())

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

async function standing(credential?: string) {
  const answer = await server.send(credential, 'GET', '/v1/contexts')
  const header = (name: string) => answer.headers.get(name)
  return [answer.status, header('ratelimit-policy'), header('ratelimit'), header('retry-after')]
}

function batch(credential: string, messages: readonly object[]): Promise<Response> {
  const authorization = `Bearer ${credential}`
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { ...MCP, authorization },
    body: JSON.stringify(messages),
  })
}

test('a principal at its rate waits, and others do not', async () => {
  const [alice, again, bob] = [
    await server.keyOf('alice'),
    await server.keyOf('alice'),
    await server.keyOf('bob'),
  ]
  const policy = '"principal";q=3;w=10800'
  expect(await standing(alice)).toEqual([200, policy, '"principal";r=2;t=3600', null])
  expect(await standing(again)).toEqual([200, policy, '"principal";r=1;t=7200', null])
  expect(await standing(alice)).toEqual([200, policy, '"principal";r=0;t=10800', null])
  const refused = await server.send(again, 'GET', '/v1/contexts')
  expect([refused.status, refused.headers.get('retry-after'), await jsonOf(refused)]).toEqual([
    429,
    '3600',
    {
      type: 'urn:plasmid:problem:too_many_requests',
      title: 'too many requests',
      status: 429,
      detail:
        'too_many_requests: This caller sends more requests than its rate allows. Wait 3600 s, and send fewer requests at once.',
      code: 'too_many_requests',
      problems: [
        {
          code: 'too_many_requests',
          message: 'This caller sends more requests than its rate allows.',
          next: 'Wait 3600 s, and send fewer requests at once.',
        },
      ],
    },
  ])
  expect((await batch(again, [PING])).status).toBe(429)
  expect((await standing(bob))[0]).toBe(200)
})

test('a batch counts one by one, and a refused one counts once', async () => {
  const [carol, dave] = [await server.keyOf('carol'), await server.keyOf('dave')]
  expect((await batch(carol, [PING, { ...PING, id: 2 }, { ...PING, id: 3 }])).status).toBe(200)
  expect((await batch(carol, [PING])).status).toBe(429)
  expect((await batch(dave, [PING, PING, PING, PING])).status).toBe(429)
  expect((await standing(dave))[2]).toBe('"principal";r=1;t=7200')
})

test('all anonymous callers share one rate', async () => {
  const statuses = []
  for (let count = 0; count < 4; count++) statuses.push((await standing())[0])
  expect(statuses).toEqual([200, 200, 200, 429])
  expect((await server.send(undefined, 'GET', '/v1/health')).status).toBe(200)
})
