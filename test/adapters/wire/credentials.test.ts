import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createHash, createHmac } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { loginFiles } from '../../../src/adapters/wire/credentials/logins.ts'
import { secretReader } from '../../../src/adapters/wire/secrets.ts'
import type { Auth } from '../../../src/catalog/auth/auth.ts'
import { api, call, json, limits, serve, wire, type Seen, type TestServer } from './fixtures.ts'

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

/** The signature by the rules of AWS, computed without the library. */
function signatureOf(seen: Seen | undefined, signed: string, secret: string): string {
  const { method = '', url = '', headers = {}, body = '' } = seen ?? {}
  const [path = '', query = ''] = url.split('?')
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const lines = signed.split(';').map((name) => `${name}:${headers[name]}\n`)
  const canonical = [method, path, query, lines.join(''), signed, hash(body)].join('\n')
  const time = headers['x-amz-date'] ?? ''
  const scope = `${time.slice(0, 8)}/eu-central-1/execute-api/aws4_request`
  const key = ['eu-central-1', 'execute-api', 'aws4_request'].reduce(
    (made, part) => mac(made, part),
    mac(`AWS4${secret}`, time.slice(0, 8)),
  )
  return mac(key, ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n')).toString('hex')
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

  test('is not read from a pipe, a device or a folder, and nothing is waited for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plasmid-secret-'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    for (const path of [join(folder, 'pipe'), '/dev/zero', folder])
      await expect(secretReader({})(`file:${path}`)).rejects.toThrow('is not a plain file')
    await rm(folder, { recursive: true })
  })

  test.each([
    ['env:B', 'the secret `env:B` is not set'],
    ['env:toString', 'the secret `env:…` (not shown: it looks like a secret itself) is not set'],
    ['env:EMPTY', 'the secret `env:EMPTY` is empty'],
    ['env:LINES', 'the secret `env:LINES` holds control characters'],
    ['file:/no/such/file', 'the secret `file:/no/such/file` cannot be read'],
    ['vault:x', '(not shown: it looks like a secret itself) is neither `env:NAME` nor `file:PATH`'],
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

  test('as a segment of the path, which no answer and no failure repeats', async () => {
    const server = await serve((request, response, count) =>
      count === 1
        ? json(response, { next: `http://node.example${request.url}` })
        : response.writeHead(400).end(`no such path: ${request.url}`),
    )
    const auth: Auth = { scheme: 'api_key_path', secret: 'env:KEY' }
    const there = api(`${server.origin}/v3`, { auth })
    const answered = await wire().send(call(there, { target: { path: '' } }), limits())
    const refused = await wire().send(call(there, { target: { path: '/blocks?full=1' } }), limits())
    expect(server.seen.map(({ url }) => url)).toEqual([`/v3/${KEY}`, `/v3/${KEY}/blocks?full=1`])
    expect(JSON.stringify([answered, refused])).not.toContain(KEY)
    expect(JSON.stringify(answered)).toContain('http://node.example/v3/')
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

  test('as a cookie, before those of the call', async () => {
    const { seen } = await sendWith(
      { scheme: 'api_key', in: 'cookie', name: 'session', secret: 'env:PASSWORD' },
      { headers: [['Cookie', 'a=b']] },
    )
    expect(seen?.headers['cookie']).toBe('session=pass%20word%3Asecret; a=b')
  })

  test('as a user name and a password', async () => {
    const { seen } = await sendWith({ scheme: 'basic', username: 'env:CLIENT', password: 'env:PASSWORD' })
    expect(seen?.headers['authorization']).toBe(`Basic ${btoa('client:pass word:secret')}`)
  })

  test('as the signature of the whole request', async () => {
    const auth: Auth = {
      scheme: 'aws_sigv4',
      accessKeyId: 'env:CLIENT',
      secretAccessKey: 'env:KEY',
      region: 'eu-central-1',
      service: 'execute-api',
    }
    const { seen } = await sendWith(auth, {
      method: 'POST',
      target: { path: '/things' },
      query: [['b', 'two words']],
      headers: [['x-amz-target', 'Things.Make']],
      body: { format: 'json', value: { name: 'x' } },
      repeatable: false,
    })
    expect(seen).toMatchObject({ url: '/things?b=two%20words', body: '{"name":"x"}' })
    const signature =
      /^AWS4-HMAC-SHA256 Credential=client\/(\d{8})\/eu-central-1\/execute-api\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
        seen?.headers['authorization'] ?? '',
      )
    expect(signature?.[2]).toBe('content-type;host;x-amz-date;x-amz-target')
    expect(signature?.[3]).toBe(signatureOf(seen, signature?.[2] ?? '', KEY))
    expect(JSON.stringify(seen)).not.toContain(KEY)
  })

  test("is the principal's own where the operator set one", async () => {
    const server = await serve((_, response) => json(response, {}))
    const catalog = api(server.origin, { auth: { scheme: 'bearer', secret: 'env:KEY', optional: false } })
    const shared = wire({
      referenceFor: (reference, principal) => (principal === '["alice"]' ? 'env:CLIENT' : reference),
    })
    for (const principal of ['["alice"]', '["bob"]'])
      await shared.send(call(catalog, { principal }), limits())
    await shared.send(call(catalog), limits())
    expect(server.seen.map((seen) => seen.headers['authorization'])).toEqual([
      'Bearer client',
      `Bearer ${KEY}`,
      `Bearer ${KEY}`,
    ])
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
          body: { error: 'wrong key SECRET_REMOVED' },
          headers: { link: '<http://x/things?key=SECRET_REMOVED>; rel="next"' },
        },
      })
    }
  })

  test('is struck out where the API repeats it in base64, alone or in a text', async () => {
    const auth: Auth = { scheme: 'api_key', in: 'query', name: 'key', secret: 'env:KEY' }
    const texts = ['', 'a', 'ab', 'abc'].flatMap((before) => [`${before}${KEY}`, `${before}${KEY}?>~`])
    const encoded = texts.flatMap((text) =>
      (['base64', 'base64url'] as const).map((form) => Buffer.from(text).toString(form)),
    )
    const server = await serve((_, response) => json(response, { encoded, other: 'c2VjcmV0' }))
    const sent = await wire().send(call(api(server.origin, { auth })), limits())
    const shown = z
      .object({ encoded: z.array(z.string()), other: z.literal('c2VjcmV0') })
      .parse(sent.ok && sent.reply.body)
    expect(shown.encoded.length).toBe(16)
    for (const text of shown.encoded) expect(text).toMatch(/^[\w+/=-]{0,4}SECRET_REMOVED[\w+/=-]{0,8}$/)
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

describe('OAuth tokens', () => {
  test('a write that is refused for its token goes again, once', async () => {
    const tokens = await tokenServer()
    const server = await serve((_, response) => json(response, {}, 401))
    const catalog = api(server.origin, { auth: clientCredentials(`${tokens.origin}/token`) })
    const write = call(catalog, { method: 'POST', repeatable: false })
    expect(await wire().send(write, limits())).toMatchObject({
      ok: true,
      reply: { status: 401, requests: 2 },
    })
    expect(server.seen.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ])
  })

  test('calls whose token was refused wait for one new token', async () => {
    const tokens = await tokenServer()
    const server = await serve((seen, response) =>
      json(response, {}, seen.headers['authorization'] === 'Bearer token-1' ? 401 : 200),
    )
    const catalog = api(server.origin, { auth: clientCredentials(`${tokens.origin}/token`) })
    const shared = wire()
    const writes = Array.from({ length: 10 }, () =>
      shared.send(call(catalog, { method: 'POST', repeatable: false }), limits()),
    )
    for (const sent of await Promise.all(writes)) expect(sent).toMatchObject({ reply: { status: 200 } })
    expect(tokens.seen).toHaveLength(2)
  })

  test('a rotated secret ends the use of the token that it gave', async () => {
    const tokens = await tokenServer()
    const server = await serve((_, response) => json(response, {}))
    const catalog = api(server.origin, { auth: clientCredentials(`${tokens.origin}/token`) })
    const values: Record<string, string> = { CLIENT: 'client', PASSWORD: 'old' }
    const shared = wire({ secrets: secretReader(values) })
    await shared.send(call(catalog), limits())
    values['PASSWORD'] = 'new'
    await shared.send(call(catalog), limits())
    expect(tokens.seen.map(({ headers }) => atob(headers['authorization']?.slice(6) ?? ''))).toEqual([
      'client:old',
      'client:new',
    ])
    expect(server.seen[1]?.headers['authorization']).toBe('Bearer token-2')
  })

  test('a refresh token that the server replaced renews the next token', async () => {
    const tokens = await serve((_, response, count) =>
      json(response, { access_token: `token-${count}`, refresh_token: `refresh-${count}`, expires_in: 1 }),
    )
    const server = await serve((_, response) => json(response, {}))
    const auth: Auth = {
      scheme: 'refresh_token',
      tokenUrl: `${tokens.origin}/token`,
      clientId: 'env:CLIENT',
      refreshToken: 'env:KEY',
      scopes: [],
    }
    const shared = wire()
    for (let time = 0; time < 2; time++) await shared.send(call(api(server.origin, { auth })), limits())
    expect(tokens.seen.map(({ body }) => body)).toEqual([
      `grant_type=refresh_token&refresh_token=${KEY}&client_id=client`,
      'grant_type=refresh_token&refresh_token=refresh-1&client_id=client',
    ])
  })
})

describe('a login', () => {
  const signIn = (tokenUrl: string): Auth => ({
    scheme: 'authorization_code',
    authorizationUrl: 'https://login.example.com/authorize',
    tokenUrl,
    clientId: 'env:CLIENT',
    scopes: [],
    login: 'login:shop',
  })

  async function files() {
    const folder = await mkdtemp(join(tmpdir(), 'plasmid-logins-'))
    return { folder, logins: loginFiles(folder) }
  }

  test('is needed first', async () => {
    const server = await serve((_, response) => json(response, {}))
    const sent = await wire().send(
      call(api(server.origin, { auth: signIn('http://127.0.0.1:1/token') })),
      limits(),
    )
    expect(sent).toMatchObject({
      failure: {
        problem: { code: 'login_needed', next: expect.stringContaining('`plasmid auth login shop`') },
      },
    })
    expect(server.seen).toEqual([])
  })

  test.each([
    ['that others can write', (file: string) => chmod(file, 0o666)],
    ['of another user', (file: string) => chown(file, 1234, 1234)],
  ])('in a file %s is none', async (_, change) => {
    const { folder, logins } = await files()
    await logins.write('login:shop', { accessToken: 'mine' })
    expect(await logins.read('login:shop')).toEqual({ accessToken: 'mine' })
    const [file = ''] = await readdir(folder)
    // Only root gives files away.
    if (process.getuid?.() === 0) await change(join(folder, file))
    else await chmod(join(folder, file), 0o666)
    expect(await logins.read('login:shop')).toBeUndefined()
  })

  test('is used while it is good, and renewed and stored once it is not', async () => {
    const { folder, logins } = await files()
    const tokens = await serve((_, response) =>
      json(response, { access_token: 'fresh', refresh_token: 'next', expires_in: 3600 }),
    )
    const server = await serve((seen, response) =>
      json(response, {}, seen.headers['authorization'] === 'Bearer stale' ? 401 : 200),
    )
    const catalog = api(server.origin, { auth: signIn(`${tokens.origin}/token`) })
    await logins.write('shop', { accessToken: 'stale', refreshToken: 'first' })
    const shared = wire({ logins })
    const sent = await Promise.all(Array.from({ length: 5 }, () => shared.send(call(catalog), limits())))
    for (const one of sent) expect(one).toMatchObject({ reply: { status: 200 } })
    expect(tokens.seen.map(({ body }) => body)).toEqual([
      'grant_type=refresh_token&refresh_token=first&client_id=client',
    ])
    expect(await logins.read('shop')).toMatchObject({ accessToken: 'fresh', refreshToken: 'next' })
    const [file = ''] = await readdir(folder)
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
  })

  test('that the server does not renew has to be made again', async () => {
    const { logins } = await files()
    const tokens = await serve((_, response) => json(response, { error: 'invalid_grant' }, 400))
    const server = await serve((_, response) => json(response, {}))
    await logins.write('shop', { accessToken: 'old', goodUntil: 1, refreshToken: 'spent' })
    const sent = await wire({ logins }).send(
      call(api(server.origin, { auth: signIn(`${tokens.origin}/token`) })),
      limits(),
    )
    expect(sent).toMatchObject({ failure: { problem: { code: 'login_needed' } } })
  })

  test('of any name is one file of its folder', async () => {
    const { folder, logins } = await files()
    await logins.write('../a/b', { accessToken: 'x' })
    expect(await readdir(folder)).toEqual(['%2E%2E%2Fa%2Fb.json'])
    expect(await logins.remove('../a/b')).toBe(true)
    expect(await logins.read('../a/b')).toBeUndefined()
  })
})
