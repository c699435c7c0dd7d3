import { afterAll, beforeAll, expect, test } from 'vitest'
import { SEEDS, startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.send('POST', '/v1/contexts', { intent: 'read again', seeds: SEEDS })
  await server.send('POST', '/v1/contexts/s0/run', { program: 'Customer[id, notes]' })
})
afterAll(() => server.close())

const AGAIN = [
  '/v1/contexts',
  '/v1/contexts/s0',
  '/v1/contexts/s0/table',
  '/v1/contexts/s0/snapshots/1',
  '/v1/registry',
  '/v1/grammar',
  '/openapi.json',
]

test.each(AGAIN)('%s is sent again only if it changed', async (path) => {
  const first = await server.send('GET', path)
  const tag = first.headers.get('etag') ?? ''
  expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[0-9a-f]{16}"$/)])
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  const known = (header: string) => server.send('GET', path, undefined, { 'if-none-match': header })
  for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await known(header)
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, ''])
  }
  const other = await known('"0000000000000000"')
  expect([other.status, await other.text()]).toEqual([200, await first.text()])
})

test('a session that changed has another tag', async () => {
  const tagOf = async () => (await server.send('GET', '/v1/contexts/s0')).headers.get('etag')
  const before = await tagOf()
  await server.send('POST', '/v1/contexts/s0/seeds', { seeds: [{ api: 'shop', entity: 'Product' }] })
  expect(await tagOf()).not.toBe(before)
})

test('each representation of a table has its own tag', async () => {
  const tags = ['text/markdown', 'text/tab-separated-values'].map(async (accept) =>
    (await server.send('GET', '/v1/contexts/s0/table', undefined, { accept })).headers.get('etag'),
  )
  expect(new Set(await Promise.all(tags)).size).toBe(2)
})

test.each(['/v1/health', '/v1/ready', '/v1/contexts/s9'])('%s is not kept', async (path) => {
  const response = await server.send('GET', path)
  expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([null, 'no-store'])
})
