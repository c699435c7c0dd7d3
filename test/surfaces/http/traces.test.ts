import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/engine/index.ts'
import { Traces } from '../../../src/engine/watch/traces.ts'
import { httpApp } from '../../../src/surfaces/http/app.ts'
import { testEngine } from '../../engine/engines.ts'
import { jsonOf, startTestServer, SEEDS, type TestServer } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ log_level: 'silent' })
  await server.send('POST', '/v1/contexts', { intent: 'traced', seeds: SEEDS })
})
afterAll(() => server.close())

interface Listed {
  readonly traces: readonly { readonly trace_id: string; readonly totals: { readonly requests: number } }[]
}
const list = async (query = '') =>
  (await jsonOf<Listed>(await server.send('GET', `/v1/traces${query}`))).traces

// The events of a stream, one by one, as texts.
async function* eventsOf(response: Response): AsyncGenerator<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
      yield text.slice(0, at)
      text = text.slice(at + 2)
    }
  }
}

test('lists, shows and pages traces', async () => {
  await server.send('POST', '/v1/contexts/s0/run', { program: 'e1.limit(2)[id]' })
  const [trace, ...others] = await list()
  expect(others).toEqual([])
  const detail = await jsonOf(await server.send('GET', `/v1/traces/${trace?.trace_id}`))
  expect(detail).toMatchObject({
    status: 'live',
    records: [
      { seq: 1, name: 'request', request: 'context' },
      { seq: 2, name: 'api_call', capability: 'customer_query', status: 200 },
      { seq: 3, name: 'request', request: 'run', rows: 2 },
    ],
  })
  expect(await list('?offset=1')).toEqual([])
  expect(await list('?status=completed')).toEqual([])
})

test('reports what is wrong with a query', async () => {
  for (const [query, detail] of [
    ['limit=0', 'invalid_parameter: `limit` must be a whole number, `limit` from 1 to 200, got `0`.'],
    ['offset=x', 'invalid_parameter: `offset` must be a whole number'],
    ['status=dead', 'invalid_parameter: `status` must be `all`, `live` or `completed`, got `dead`.'],
  ]) {
    const response = await server.send('GET', `/v1/traces?${query}`)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    expect(await jsonOf(response)).toMatchObject({ detail: expect.stringContaining(detail ?? '') })
  }
  for (const path of ['/v1/traces/nothing', '/v1/traces/nothing/stream']) {
    const response = await server.send('GET', path)
    expect([response.status, await jsonOf(response)]).toMatchObject([404, { code: 'unknown_trace' }])
  }
  expect((await fetch(`${server.url}/v1/traces`)).status).toBe(401)
  expect((await fetch(`${server.url}/metrics`)).status).toBe(401)
})

test('streams snapshot, patches and the end', async () => {
  await server.send('POST', '/v1/contexts', { intent: 'streamed', seeds: SEEDS })
  const [trace] = await list()
  const response = await server.send('GET', `/v1/traces/${trace?.trace_id}/stream`)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const events = eventsOf(response)
  expect((await events.next()).value).toMatch(/^event: snapshot\nid: 1\ndata: \{"kind":"snapshot","seq":1,/)
  await server.send('GET', '/v1/contexts/s1')
  expect((await events.next()).value).toMatch(/^event: patch\nid: 2\ndata: .*"request":"session"/)
  await server.send('DELETE', '/v1/contexts/s1')
  expect((await events.next()).value).toMatch(/^event: patch\nid: 3\n/)
  expect((await events.next()).value).toMatch(/^event: terminal\nid: 3\ndata: .*"status":"completed"/)
  expect((await events.next()).done).toBe(true)
})

test('lets a reader who does not read go', async () => {
  const traces = new Traces()
  const emit = (at: number) =>
    traces.emit({
      name: 'request',
      at,
      facts: { request: 'run', ok: true, principal: '["local"]', trace_id: 't', logical_session_id: 'l' },
    })
  emit(1)
  const app = httpApp({
    faulty: async () => [],
    gateway: testEngine().gateway,
    verifier: { verify: async () => LOCAL_USER },
    hosts: [],
    version: '1',
    mcp: { fetch: async () => new Response() },
    report: () => undefined,
    telemetry: { traces, metrics: { text: async () => '', contentType: 'text/plain' } },
  })
  const response = await app.fetch(
    new Request('http://localhost/v1/traces/t/stream', { headers: { host: 'localhost' } }),
  )
  for (let at = 2; at < 400; at++) emit(at)
  const texts: string[] = []
  for await (const text of eventsOf(response)) texts.push(text)
  expect(texts.length).toBeLessThan(200)
  expect(texts.at(-1)).toBe(': lagged')
  expect(texts.slice(0, -1).map((text) => /^id: (\d+)$/m.exec(text)?.[1])).toEqual(
    Array.from({ length: texts.length - 1 }, (_, index) => String(index + 1)),
  )
})

test('shows what was counted, without sessions', async () => {
  const response = await server.send('GET', '/metrics')
  expect(response.headers.get('content-type')).toContain('text/plain')
  const text = await response.text()
  expect(text).toMatch(/^plasmid_requests_total\{request="context",outcome="ok"\} \d+$/m)
  expect(text).toMatch(/^plasmid_api_calls_total\{catalog="shop",status="2xx"\} 1$/m)
  expect(text).toMatch(/^plasmid_process_resident_memory_bytes \d+$/m)
  for (const { trace_id: id } of await list()) expect(text).not.toContain(id)
})

test('without authentication on loopback, anybody reads them', async () => {
  const open = await startTestServer({ auth: 'off', log_level: 'silent' })
  expect((await fetch(`${open.url}/metrics`)).status).toBe(200)
  await open.close()
})

test('a shutdown ends streams at once', async () => {
  const closing = await startTestServer({ log_level: 'silent' })
  await closing.send('POST', '/v1/contexts', { intent: 'x', seeds: SEEDS })
  const { traces } = await jsonOf<Listed>(await closing.send('GET', '/v1/traces'))
  const response = await closing.send('GET', `/v1/traces/${traces[0]?.trace_id}/stream`)
  const events = eventsOf(response)
  await events.next()
  const closed = closing.close()
  expect((await events.next()).value).toMatch(/^event: terminal\n/)
  await closed
})
