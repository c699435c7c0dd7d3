import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Caller, LOCAL_USER } from '../../../src/engine/index.ts'
import { httpApp, type HttpParts } from '../../../src/surfaces/http/app.ts'
import { listen, type Listening } from '../../../src/surfaces/http/listen.ts'
import { testEngine } from '../../engine/engines.ts'

let server: Listening | undefined
const reports: unknown[] = []
const calls: string[] = []

afterEach(async () => {
  await server?.close(0)
  calls.length = 0
  reports.length = 0
})

async function served(own: Partial<HttpParts> = {}, caller: Caller = LOCAL_USER) {
  const app = httpApp({
    gateway: testEngine().gateway,
    verifier: { verify: async (token) => (token === 'ours' ? caller : null) },
    hosts: [],
    version: '1',
    faulty: async () => [],
    report: (error) => void reports.push(error),
    mcp: {
      fetch: async (asked) => new Response(`app: ${await asked.text()}`),
      recognise: (body) =>
        body.startsWith('direct')
          ? async ({ announced }) => {
              calls.push(`${body} ${JSON.stringify(announced)}`)
              if (body === 'direct bug') throw new Error('a bug')
              return { status: 200, body: `socket: ${body}`, headers: { 'content-type': 'text/plain' } }
            }
          : undefined,
    },
    ...own,
  })
  server = await listen(app, { host: '127.0.0.1', port: 0 })
  return server.url
}

async function post(url: string, body: string, own: Record<string, string | string[]> = {}, path = '/mcp') {
  const headers = { authorization: 'Bearer ours', 'content-type': 'application/json', ...own }
  const sent = request(`${url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  })
  sent.end(body)
  const [incoming] = await once(sent, 'response')
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  return { status: Number(incoming.statusCode), headers: incoming.headers, text }
}

test('a recognised call is answered on the socket, with the headers of every answer', async () => {
  const { status, headers, text } = await post(await served(), 'direct call')
  expect([status, text]).toEqual([200, 'socket: direct call'])
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-length': '19',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  })
})

test('another body reaches the app as it was sent', async () => {
  const { text } = await post(await served(), 'some other \u00fc')
  expect(text).toBe('app: some other \u00fc')
  expect(calls).toEqual([])
})

test.each([
  ['no credential', { authorization: 'Bearer another' }, 401],
  ['the name of another host', { host: 'evil.example' }, 403],
  ['a page of another site', { origin: 'https://evil.example' }, 403],
  ['a request across sites', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a compressed body', { 'content-encoding': 'gzip' }, 415],
  ['another charset', { 'content-type': 'application/json; charset=utf-16' }, 415],
])('%s is refused before the call', async (_, headers, status) => {
  expect(await post(await served(), 'direct call', headers)).toMatchObject({ status })
  expect(calls).toEqual([])
})

test('a key for other surfaces is refused before the call', async () => {
  const url = await served({}, { ...LOCAL_USER, surfaces: ['http'] })
  const { status, text } = await post(url, 'direct call')
  expect([status, text.includes('key_limited')]).toEqual([403, true])
  expect(calls).toEqual([])
})

test('calls count within the rate, and state it', async () => {
  const url = await served({ requestRate: { perSecond: 0.001, burst: 2 } })
  const answers = [await post(url, 'direct 1'), await post(url, 'other'), await post(url, 'direct 2')]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(answers.map(({ headers }) => headers['ratelimit-policy'])).toEqual(
    Array(3).fill('"principal";q=2;w=2000'),
  )
  expect(calls).toEqual(['direct 1 {}'])
})

test('a workspace is announced as on every other way in', async () => {
  const url = await served({ workspaceHeader: 'x-workspace' })
  await post(url, 'direct call', { 'x-workspace': '/home/me' })
  expect(calls).toEqual(['direct call {"workspace":"/home/me"}'])
})

test('repeated headers are read by the app', async () => {
  expect((await post(await served(), 'direct call', { 'x-note': ['1', '2'] })).text).toBe('app: direct call')
})

test('a connection that breaks within its body makes no call', async () => {
  const { port } = new URL(await served())
  const client = connect(Number(port), '127.0.0.1')
  client.write(
    'POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ours\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\ndirect',
  )
  await once(client, 'connect')
  client.resume().end()
  await once(client, 'close')
  expect(calls).toEqual([])
  expect((await post(`http://127.0.0.1:${port}`, 'direct next')).text).toBe('socket: direct next')
})

test('a bug is reported, and answered without its text', async () => {
  const { status, text } = await post(await served(), 'direct bug')
  expect([status, text.includes('internal_error'), text.includes('a bug')]).toEqual([500, true, false])
  expect(reports).toEqual([new Error('a bug')])
})

test('a store that is away is answered as by the app', async () => {
  const away = Object.assign(new Error('the store is away'), { retryable: true })
  const { gateway } = testEngine()
  const lost = { ...gateway, context: () => Promise.reject(away) }
  const answers: unknown[] = []
  for (const accept of ['application/json', 'application/json, text/*;q=0.1']) {
    const { status, text } = await post(await served({ gateway: lost }), '{}', { accept }, '/v1/contexts')
    answers.push({ status, text })
    await server?.close(0)
  }
  expect(answers[0]).toMatchObject({ status: 503 })
  expect(answers[0]).toEqual(answers[1])
})

test.each([
  ['a new session', 201, { intent: 'work', seeds: [{ api: 'shop', entity: 'Customer' }] }],
  ['an unknown entity', 400, { intent: 'work', seeds: [{ api: 'shop', entity: 'Nothing' }] }],
  ['wrong arguments', 400, { intent: 7 }],
  ['no object', 400, 7],
])('%s is answered on the socket as by the app', async (_, status, input) => {
  const body = JSON.stringify(input)
  const answers: unknown[] = []
  for (const accept of ['application/json', 'application/json, text/*;q=0.1']) {
    const url = await served()
    const { headers, ...answer } = await post(url, body, { accept }, '/v1/contexts')
    const { date, ...said } = headers
    answers.push({ ...answer, headers: { ...said, date: typeof date } })
    await server?.close(0)
  }
  expect(answers[0]).toMatchObject({ status })
  expect(answers[0]).toEqual(answers[1])
})
