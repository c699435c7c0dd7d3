import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startAuthTestServer, type AuthTestServer } from '../surfaces/auth-test-server.ts'
import { SEEDS } from '../surfaces/test-server.ts'

/* A call waits inside of the wire: for its turn of the rate limit, or for its next try. What is taken away meanwhile is not used. */

const requests: string[] = []
/** Takes rights away, a moment after the API has answered the first request of this method. */
let withdrawal: { readonly after: string; readonly work: () => Promise<void> } | undefined
/** The status of answers to reads. */
let status = 200

const upstream = createServer((request, response) => {
  const { method = '' } = request
  requests.push(method)
  if (withdrawal?.after === method) {
    const { work } = withdrawal
    withdrawal = undefined
    setTimeout(() => void work(), 200)
  }
  if (method === 'DELETE') response.writeHead(204).end()
  else {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' })
    response.end(JSON.stringify({ customers: [1, 2, 3].map((n) => ({ id: `c${n}`, name: 'x' })) }))
  }
})

let server: AuthTestServer
beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const address = upstream.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  const origin = `http://127.0.0.1:${address.port}`
  server = await startAuthTestServer({
    auth: 'required',
    backends: { shop: `${origin}/v1` },
    effects: { '*': 'allow' },
    rates: { [origin]: '1/s' },
  })
})
afterAll(async () => {
  await server.close()
  upstream.close()
})
beforeEach(() => {
  requests.splice(0)
  status = 200
  withdrawal = undefined
})

async function run(key: string, program: string): Promise<string> {
  await server.send(key, 'POST', '/v1/contexts', { intent: program, seeds: SEEDS })
  return (await server.send(key, 'POST', '/v1/contexts/s0/run', { program })).text()
}

/** Takes the key away while the call after the first of this method waits. */
async function withdrawnAfter(method: string, subject: string): Promise<string> {
  const key = await server.keyOf(subject)
  withdrawal = {
    after: method,
    work: () => rm(join(server.dataDir, 'keys', `${key.split('_')[1] ?? ''}.json`)),
  }
  return key
}

test('a write that waits for its turn is not sent with a key that was revoked', async () => {
  const key = await withdrawnAfter('DELETE', 'waiting')
  const answer = await run(key, 'rows = e1.limit(3)\nrows => _.delete()')
  expect(requests).toEqual(['GET', 'DELETE'])
  expect(answer).toContain('credential_revoked')
  expect(answer).not.toContain('effect_unknown')
})

test('a write that waits for its turn is not sent where its policy became deny', async () => {
  const key = await server.keyOf('denied')
  withdrawal = {
    after: 'DELETE',
    work: () => server.writePolicy('callers: [{ from: keys, effects: deny }]'),
  }
  const answer = await run(key, 'rows = e1.limit(3)\nrows => _.delete()')
  await server.writePolicy('default: allow')
  expect(requests).toEqual(['GET', 'DELETE'])
  expect(answer).toContain('effect_denied')
})

test('a read is not repeated with a key that was revoked', async () => {
  const key = await withdrawnAfter('GET', 'repeating')
  status = 503
  await run(key, 'e1.limit(3)')
  expect(requests).toEqual(['GET'])
})
