import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { secretReader } from '../../../src/adapters/wire/secrets.ts'
import type { Auth } from '../../../src/catalog/model.ts'
import { api, call, json, limits, serve, wire, type TestServer } from './fixtures.ts'

const KEY = 'key-0123456789'

async function sendWith(auth: Auth, changes: Parameters<typeof call>[1] = {}) {
  const server = await serve((_, response) => json(response, {}))
  const sent = await wire().send(call(api(server.origin, { auth }), changes), limits())
  return { sent, seen: server.seen[0] }
}

function clientCredentials(tokenUrl: string): Auth {
  return {
    scheme: 'client_credentials',
    tokenUrl,
    clientId: 'env:CLIENT',
    clientSecret: 'env:PASSWORD',
    scopes: ['read', 'write'],
  }
}

async function tokenServer(lifeSeconds = 3600): Promise<TestServer> {
  return serve((_, response, count) =>
    json(response, { access_token: `token-${count}`, token_type: 'bearer', expires_in: lifeSeconds }),
  )
}

describe('a secret', () => {
  test('is read from the environment, trimmed', async () => {
    expect(await secretReader({ A: ' a b \n' })('env:A')).toBe('a b')
  })

  test('is read from a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plasmid-secret-'))
    await writeFile(join(folder, 'key:1'), `${KEY}\n`)
    expect(await secretReader({})(`file:${join(folder, 'key:1')}`)).toBe(KEY)
    await rm(folder, { recursive: true })
  })

  test.each([
    ['env:B', 'the secret `env:B` is not set'],
    [
      'env:toString',
      'the secret `env:` with a value that looks like a secret itself and is not shown is not set',
    ],
    ['env:EMPTY', 'the secret `env:EMPTY` is empty'],
    ['env:LINES', 'the secret `env:LINES` holds control characters'],
    ['file:/no/such/file', 'the secret `file:/no/such/file` cannot be read'],
    ['vault:x', 'looks like a secret itself and is not shown is neither `env:NAME` nor `file:PATH`'],
  ])('%s is none', async (reference, message) => {
    await expect(secretReader({ EMPTY: ' ', LINES: 'a\nx-evil: b' })(reference)).rejects.toThrow(message)
  })
})

describe('a proof', () => {
  test('as a header', async () => {
    const { seen } = await sendWith(
      { scheme: 'api_key', in: 'header', name: 'X-Key', secret: 'env:KEY' },
      { headers: [['x-key', 'from the program']] },
    )
    expect(seen?.headers['x-key']).toBe(KEY)
  })

  test('as a query parameter, in the place of a given one', async () => {
    const { seen } = await sendWith(
      { scheme: 'api_key', in: 'query', name: 'key', secret: 'env:KEY' },
      {
        target: { path: '/things?key=old&page=2' },
        query: [
          ['key', 'mine'],
          ['a', 'b'],
        ],
      },
    )
    expect(seen?.url).toBe(`/things?page=2&a=b&key=${KEY}`)
  })

  test.each<Auth>([
    { scheme: 'bearer', secret: 'env:KEY', optional: false },
    { scheme: 'api_key', in: 'header', name: 'x-key', secret: 'env:KEY' },
    { scheme: 'api_key', in: 'query', name: 'key', secret: 'env:KEY' },
  ])('goes to no other origin, unless the catalog says so: %j', async (auth) => {
    const [own, other] = await Promise.all([1, 2].map(() => serve((_, response) => json(response, {}))))
    if (!own || !other) throw new Error('two servers')
    const catalog = api(own.origin, { auth, otherOrigins: [other.origin] })
    const trusting = { ...catalog, authOrigins: [other.origin] }
    for (const to of [
      call(catalog, { target: { path: '/things' } }),
      call(catalog, { target: { url: `${other.origin}/things` } }),
      call(trusting, { target: { url: `${other.origin}/things` } }),
    ])
      expect((await wire().send(to, limits())).ok).toBe(true)
    const carries = (one: unknown) => JSON.stringify(one).includes(KEY)
    expect(own.seen.map(carries)).toEqual([true])
    expect(other.seen.map(carries)).toEqual([false, true])
  })

  test('as a bearer token', async () => {
    const { seen } = await sendWith({ scheme: 'bearer', secret: 'env:KEY', optional: false })
    expect(seen?.headers['authorization']).toBe(`Bearer ${KEY}`)
  })

  test('that may be missing', async () => {
    const { seen } = await sendWith({ scheme: 'bearer', secret: 'env:NONE', optional: true })
    expect(seen?.headers).not.toHaveProperty('authorization')
  })

  test('that must not be missing', async () => {
    const { sent, seen } = await sendWith({ scheme: 'bearer', secret: 'env:NONE', optional: false })
    expect(sent).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'secret_missing',
          message: 'Nothing was sent: the secret `env:NONE` of `shop` is not set or cannot be read.',
          next: 'Report this to the operator of the server; a program cannot change it.',
        },
        sent: 'no',
        requests: 0,
      },
    })
    expect(seen).toBeUndefined()
  })

  test('is struck out of whatever the API repeats', async () => {
    const auth: Auth = { scheme: 'api_key', in: 'query', name: 'key', secret: 'env:KEY' }
    for (const status of [200, 401]) {
      const server = await serve((seen, response) =>
        json(response, { error: `wrong key ${KEY}` }, status, { link: `<http://x${seen.url}>; rel="next"` }),
      )
      const sent = await wire().send(call(api(server.origin, { auth })), limits())
      expect(sent).toMatchObject({
        ok: true,
        reply: {
          status,
          body: { error: 'wrong key SECRET' },
          headers: { link: '<http://x/things?key=SECRET>; rel="next"' },
        },
      })
    }
  })

  test('is in no failure', async () => {
    const auth: Auth = { scheme: 'api_key', in: 'query', name: 'key', secret: 'env:KEY' }
    const servers: TestServer[] = [
      await serve((seen, response) => response.writeHead(302, { location: seen.url }).end()),
      await serve((seen, response) => response.end(`<html>${seen.url}`)),
      await serve((_, response) => response.destroy()),
      await serve((seen, response) =>
        response.writeHead(200, { 'content-encoding': KEY, 'content-type': KEY }).end(seen.url),
      ),
    ]
    for (const server of servers) {
      const sent = await wire().send(call(api(server.origin, { auth }), { repeatable: false }), limits())
      expect(sent.ok).toBe(false)
      expect(server.seen[0]?.url).toContain(KEY)
      expect(JSON.stringify(sent)).not.toContain(KEY)
    }
  })
})

describe('client credentials', () => {
  test('one token serves calls at once and later', async () => {
    const tokens = await tokenServer()
    const server = await serve((_, response) => json(response, {}))
    const catalog = api(server.origin, { auth: clientCredentials(`${tokens.origin}/token`) })
    const shared = wire()
    await Promise.all(Array.from({ length: 10 }, () => shared.send(call(catalog), limits())))
    await shared.send(call(catalog), limits())
    expect(tokens.seen).toHaveLength(1)
    expect(tokens.seen[0]).toMatchObject({
      method: 'POST',
      url: '/token',
      body: 'grant_type=client_credentials&scope=read+write',
    })
    expect(tokens.seen[0]?.headers['authorization']).toBe(`Basic ${btoa('client:pass+word%3Asecret')}`)
    expect(new Set(server.seen.map((seen) => seen.headers['authorization']))).toEqual(
      new Set(['Bearer token-1']),
    )
    expect(server.seen).toHaveLength(11)
  })

  test('a token that is about to end is renewed', async () => {
    const tokens = await tokenServer(20)
    const server = await serve((_, response) => json(response, {}))
    const catalog = api(server.origin, { auth: clientCredentials(`${tokens.origin}/token`) })
    const shared = wire()
    for (let time = 0; time < 2; time++) await shared.send(call(catalog), limits())
    expect(server.seen.map((seen) => seen.headers['authorization'])).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ])
  })

  test('a refused token is replaced: reads go again', async () => {
    const tokens = await tokenServer()
    const server = await serve((seen, response) =>
      json(response, {}, seen.headers['authorization'] === 'Bearer token-1' ? 401 : 200),
    )
    const catalog = api(server.origin, { auth: clientCredentials(`${tokens.origin}/token`) })
    expect(await wire().send(call(catalog), limits())).toMatchObject({
      ok: true,
      reply: { status: 200, requests: 2 },
    })
  })

  test('a refusal says so without the secret', async () => {
    const tokens = await serve((seen, response) =>
      json(response, { error: seen.headers['authorization'] }, 401),
    )
    const server = await serve((_, response) => json(response, {}))
    const catalog = api(server.origin, { auth: clientCredentials(`${tokens.origin}/token`) })
    expect(await wire().send(call(catalog), limits())).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'token_refused',
          message: `Nothing was sent: ${tokens.origin} issued no access token for \`shop\`: status 401.`,
          next: 'Report this to the operator of the server; a program cannot change it.',
        },
        sent: 'no',
        requests: 0,
      },
    })
    expect(server.seen).toEqual([])
  })
})
