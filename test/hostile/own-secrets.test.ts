import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthTestServer, startAuthTestServer } from '../surfaces/auth-test-server.ts'
import { SEEDS, SHOP } from '../surfaces/test-server.ts'

/* Four callers of one API at once: two have secrets of their own, one has its tenant's, one has the shared ones. */

const CALLERS = [
  { subject: 'ada', tenant: 'acme', row: 'c1', secret: 'of-ada' },
  { subject: 'bob', tenant: 'acme', row: 'c2', secret: 'of-bob' },
  { subject: 'cy', tenant: 'acme', row: 'c3', secret: 'of-acme' },
  { subject: 'ada', tenant: 'other', row: 'c4', secret: 'of-all' },
] as const
const ROUNDS = 12

/** A token server: the access token names the client, and is answered late, so that requests overlap. */
const app = new Hono()
const asked: string[] = []
app.post('/token', async (c) => {
  const basic = Buffer.from((c.req.header('authorization') ?? '').replace('Basic ', ''), 'base64').toString()
  const [, client = ''] = basic.split(':')
  asked.push(client)
  await new Promise((resolve) => setImmediate(resolve))
  return c.json({ access_token: tokenOf(client), expires_in: 3600 })
})
/** What the API repeats of a secret is struck out: a token must not hold one. */
const tokenOf = (client: string) => client.replace('of-', 'token-')
const tokens = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
const tokenUrl = () => {
  const address = tokens.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/token`
}
let folder = ''
const file = (name: string) => `file:${join(folder, name)}`
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-own-secrets-'))
  for (const name of ['of-ada', 'of-bob', 'of-acme', 'of-all'])
    await writeFile(join(folder, name), name, { mode: 0o600 })
})
afterAll(async () => {
  tokens.close()
  await rm(folder, { recursive: true })
})

const SCHEMES = [
  ['a bearer token', () => ({ scheme: 'bearer', secret: file('of-all') }), (secret: string) => secret],
  [
    'OAuth',
    () => ({
      scheme: 'client_credentials',
      token_url: tokenUrl(),
      client_id: file('of-all'),
      client_secret: file('of-all'),
    }),
    tokenOf,
  ],
] as const

describe.each(SCHEMES)('secrets of callers with %s', (scheme, auth, sentOf) => {
  let server: AuthTestServer
  beforeAll(async () => {
    asked.splice(0)
    const own = (name: string) => ({ [file('of-all')]: file(name) })
    server = await startAuthTestServer({
      auth: 'required',
      catalogs: [{ id: 'shop', source: SHOP, auth: auth() }],
      own_secrets: [
        { from: 'keys', tenant: 'acme', subject: 'ada', secrets: own('of-ada') },
        { from: 'keys', tenant: 'acme', subject: 'bob', secrets: own('of-bob') },
        { from: 'keys', tenant: 'acme', secrets: own('of-acme') },
      ],
    })
  })
  afterAll(() => server.close())

  test('are never sent with the calls of another, however many run at once', async () => {
    const keys = await Promise.all(CALLERS.map(({ subject, tenant }) => server.keyOf(subject, tenant)))
    for (const key of keys) await server.send(key, 'POST', '/v1/contexts', { intent: 'mine', seeds: SEEDS })
    const runs = Array.from({ length: ROUNDS }, () =>
      CALLERS.map(async ({ row }, at) => {
        const program = `e1("${row}")[id]`
        const answer = await server.send(keys[at], 'POST', '/v1/contexts/s0/run', { program })
        expect(await answer.text()).toContain(row)
      }),
    )
    await Promise.all(runs.flat())
    const sent = server.api.requests.map((request, at) => `${request} ${server.api.credentials[at]}`)
    const wanted = CALLERS.map(({ row, secret }) => `GET /v1/customers/${row} Bearer ${sentOf(secret)}`)
    expect([...new Set(sent)].toSorted()).toEqual(wanted.toSorted())
    if (scheme === 'OAuth') expect(asked.toSorted()).toEqual(['of-acme', 'of-ada', 'of-all', 'of-bob'])
  })

  test('that cannot be read refuse the call; the shared one does not take its place', async () => {
    await rm(join(folder, 'of-bob'))
    const key = await server.keyOf('bob', 'acme')
    const before = server.api.requests.length
    const program = 'e1("c5")[id]'
    const answer = await server.send(key, 'POST', '/v1/contexts/s0/run', { program })
    await writeFile(join(folder, 'of-bob'), 'of-bob', { mode: 0o600 })
    expect(await answer.json()).toMatchObject({ code: 'secret_missing' })
    expect(server.api.requests).toHaveLength(before)
  })
})
