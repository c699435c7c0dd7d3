import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonOf, startTestServer, SEEDS, textOf, type TestServer } from './test-server.ts'

/* An API that fails in every way: what the caller receives on both surfaces, and that the session survives. */

const FAULTS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  fails: (response) => response.writeHead(500).end('{"error":"database is down"}'),
  'answers a page': (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Log in</title>'),
  'answers another shape': (response) => response.end('{"data":[1,2],"meta":{}}'),
  'breaks off': (response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"customers":[', () => response.destroy())
  },
  'never ends': (response) => {
    const more = () => {
      while (!response.destroyed && response.write(`"${'x'.repeat(60_000)}",`));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"customers":[')
    response.on('drain', more)
    more()
  },
  'hangs up': (response) => response.destroy(),
}
let fault = 'fails'
let upstream: Server
let server: TestServer
let client: Awaited<ReturnType<TestServer['client']>>
beforeAll(async () => {
  upstream = createServer((request, response) =>
    fault === '' ? response.end('{"customers":[]}') : FAULTS[fault]?.(response),
  ).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const address = upstream.address()
  const port = typeof address === 'object' ? address?.port : 0
  server = await startTestServer({ backends: { shop: `http://127.0.0.1:${port}/v1` } })
  client = await server.client('auto')
  await server.send('POST', '/v1/contexts', { intent: 'failing', seeds: SEEDS })
})
afterAll(() => server.close())

const input = { logical_session_ref: 's0', program: 'e1' }

async function answers() {
  const called = await client.callTool({ name: 'plasm_run', arguments: input })
  const response = await server.send('POST', '/v1/contexts/s0/run', { program: input.program })
  const overHttp = await jsonOf<{
    readonly text?: string
    readonly detail?: string
    readonly problems: readonly { readonly code: string }[]
  }>(response)
  return { overMcp: textOf(called), isError: called.isError === true, overHttp, status: response.status }
}

test.each([
  ['fails', 'upstream_error'],
  ['answers a page', 'not_json'],
  ['answers another shape', 'unexpected_answer'],
  ['breaks off', 'connection_lost'],
  ['never ends', 'too_large'],
  ['hangs up', 'connection_lost'],
])(
  'an API that %s',
  async (kind, code) => {
    fault = kind
    const { overMcp, isError, overHttp, status } = await answers()
    expect([status, overHttp.problems.map((problem) => problem.code)]).toEqual([502, [code]])
    expect(overMcp).toContain(`**${code}**: `)
    expect([isError, overHttp.detail]).toEqual([true, overMcp])
    fault = ''
    const well = { overMcp: '## Customer (0 rows)\n\n(no results)\n', isError: false, status: 200 }
    expect(await answers()).toMatchObject(well)
  },
  60_000,
)

test('an API that is down', async () => {
  upstream.closeAllConnections()
  upstream.close()
  const { overMcp, isError, overHttp, status } = await answers()
  expect([status, overHttp.problems.map((problem) => problem.code)]).toEqual([502, ['unreachable']])
  expect([isError, overHttp.detail]).toEqual([true, overMcp])
}, 60_000)
