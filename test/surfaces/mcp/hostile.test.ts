import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer, SEEDS, textOf } from '../test-server.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.close())

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

test.each<[string, string | Buffer, number]>([
  ['JSON that breaks off', '{"jsonrpc":"2.0",', 400],
  ['no request', '7', 400],
  ['ten megabytes', 'x'.repeat(10_000_000), 413],
  [
    'a byte that is no UTF-8',
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","x":"\xff"}', 'latin1'),
    400,
  ],
])('%s is refused', async (_, body, status) => {
  const response = await server.send('POST', '/mcp', body, HEADERS)
  expect([response.status, await response.text()]).toEqual([
    status,
    expect.stringContaining('"jsonrpc":"2.0"'),
  ])
  expect((await server.send('GET', '/v1/health')).status).toBe(200)
})

test.each([
  ['a lone surrogate', { intent: '\ud800', seeds: SEEDS }, 'bad_intent'],
  [
    'a name of the language',
    { intent: 'x', seeds: [{ api: '__proto__', entity: 'constructor' }] },
    'unknown_api',
  ],
  ['wrong types', { intent: 7, seeds: 'x' }, 'bad_arguments'],
  ['an unknown ref', { logical_session_ref: 's99', seeds: SEEDS }, 'unknown_session'],
])('%s is a mistake that is explained', async (_, input, code) => {
  const client = await server.client('auto')
  const answer = await client.callTool({ name: 'plasm_context', arguments: input })
  expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringContaining(code)])
})
