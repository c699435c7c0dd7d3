import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAuthTestServer, tokenOf, type AuthTestServer } from '../surfaces/auth-test-server.ts'
import { jsonOf, SEEDS } from '../surfaces/test-server.ts'

/** What a withdrawal does between two writes, once the API has taken the second one. */
let withdraw: (() => Promise<void>) | undefined
const written: string[] = []
const upstream = createServer((request, response) => {
  void (async () => {
    if (request.method === 'DELETE') {
      written.push(request.url ?? '')
      if (written.length === 2) await withdraw?.()
      response.writeHead(204).end()
      return
    }
    response.setHeader('content-type', 'application/json')
    const isFirst = !(request.url ?? '').includes('page=') || (request.url ?? '').includes('page=1')
    const customers = Array.from({ length: isFirst ? 6 : 0 }, (_, at) => ({ id: `c${at + 1}`, name: 'x' }))
    response.end(JSON.stringify({ customers }))
  })()
})

let server: AuthTestServer
beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const address = upstream.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  const backends = { shop: `http://127.0.0.1:${address.port}/v1` }
  server = await startAuthTestServer({ auth: 'required', backends, effects: { '*': 'allow' } })
})
afterAll(async () => {
  await server.close()
  upstream.close()
})

/** Deletes six customers in a loop, and withdraws after the second one. */
async function loop(credential: string, intent: string, withdrawal: () => Promise<void>) {
  written.length = 0
  withdraw = undefined
  await server.send(credential, 'POST', '/v1/contexts', { intent, seeds: SEEDS })
  const listed = await jsonOf<{ contexts?: unknown }>(await server.send(credential, 'GET', '/v1/contexts'))
  expect(JSON.stringify(listed)).toContain('s0')
  withdraw = withdrawal
  const program = 'rows = e1.limit(6)\nrows => _.delete()'
  const reply = await server.send(credential, 'POST', '/v1/contexts/s0/run', { program })
  return { text: await reply.text(), written: written.length }
}

test('a key that is revoked writes nothing more', async () => {
  const key = await server.keyOf('revoked-key')
  const done = await loop(key, 'key', () =>
    rm(join(server.dataDir, 'keys', `${key.split('_')[1] ?? ''}.json`)),
  )
  expect(done.written).toBe(2)
  expect(done.text).toContain('credential_revoked')
  expect((await server.send(key, 'GET', '/v1/contexts')).status).toBe(401)
})

test('a token that is withdrawn writes nothing more', async () => {
  const token = await tokenOf({ sub: 'withdrawn', tenant_id: 'acme' })
  const entry = `{ from: "https://login.example", tenant: acme, revoked_before: "2999-01-01T00:00:00Z" }`
  const done = await loop(token, 'token', () => server.writePolicy(`callers: [${entry}]`))
  await server.writePolicy('default: allow')
  expect(done.written).toBe(2)
  expect(done.text).toContain('credential_revoked')
})

test('a policy that changes stops the next write', async () => {
  const key = await server.keyOf('changed-policy')
  const done = await loop(key, 'policy', () => server.writePolicy('callers: [{ from: keys, effects: deny }]'))
  await server.writePolicy('default: allow')
  expect(done.written).toBe(2)
  expect(done.text).toContain('effect_denied')
})

test('an open stream ends with its key', async () => {
  const key = await server.keyOf('streaming')
  await server.send(key, 'POST', '/v1/contexts', { intent: 'stream', seeds: SEEDS })
  const { traces } = await jsonOf<{ readonly traces: readonly { readonly trace_id: string }[] }>(
    await server.send(key, 'GET', '/v1/traces'),
  )
  const stream = await server.send(key, 'GET', `/v1/traces/${traces[0]?.trace_id}/stream`)
  const text = stream.text()
  await rm(join(server.dataDir, 'keys', `${key.split('_')[1] ?? ''}.json`))
  expect(await text).toMatch(/: credential revoked\n\n$/)
})
