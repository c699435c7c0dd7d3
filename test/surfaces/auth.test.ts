import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthTestServer, ISSUERS, startAuthTestServer, tokenOf } from './auth-test-server.ts'
import { jsonOf, SEEDS, textOf } from './test-server.ts'

const now = Math.floor(Date.now() / 1000)
const MODES = ['off', 'token', 'optional', 'required'] as const
type Mode = (typeof MODES)[number]
const METADATA = 'https://plasmid.example/.well-known/oauth-protected-resource/mcp'

/** Each credential, and which modes it opens the door in. */
const CREDENTIALS: Readonly<
  Record<
    string,
    {
      readonly make: (server: AuthTestServer) => Promise<string | undefined>
      readonly opens: readonly Mode[]
    }
  >
> = {
  none: { make: async () => undefined, opens: ['off', 'optional'] },
  'the local token': {
    make: async ({ dataDir }) =>
      (await readFile(join(dataDir, 'token'), 'utf8').catch(() => 'x'.repeat(43))).trim(),
    opens: ['off', 'token'],
  },
  'a key': { make: (server) => server.keyOf('ci', 'acme'), opens: ['off', 'optional', 'required'] },
  'a key with another secret': {
    make: async (server) => `${(await server.keyOf('ci')).slice(0, -32)}${'A'.repeat(32)}`,
    opens: ['off'],
  },
  'a token': { make: () => tokenOf({ tenant_id: 'acme' }), opens: ['off', 'optional', 'required'] },
  'a token without tenant': { make: () => tokenOf({}), opens: ['off', 'optional', 'required'] },
  'an expired token': { make: () => tokenOf({ exp: now - 3600 }), opens: ['off'] },
  'a token for others': { make: () => tokenOf({ aud: 'https://other.example/mcp' }), opens: ['off'] },
  'a token that begins later': { make: () => tokenOf({ nbf: now + 3600 }), opens: ['off'] },
  'a token with a number as tenant': { make: () => tokenOf({ tenant_id: 1 }), opens: ['off'] },
  "a token under another issuer's name": { make: () => tokenOf({ iss: ISSUERS[1] }), opens: ['off'] },
  nonsense: { make: async () => 'nonsense', opens: ['off'] },
}

describe.each(MODES)('with auth: %s', (mode) => {
  let server: AuthTestServer
  beforeAll(async () => {
    server = await startAuthTestServer({ auth: mode })
  })
  afterAll(() => server.close())

  test.each(Object.entries(CREDENTIALS))('over HTTP and MCP: %s', async (_, { make, opens }) => {
    const credential = await make(server)
    const response = await server.send(credential, 'GET', '/v1/registry')
    const mcp = await server.client(credential).then(
      (client) => client.listTools().then(({ tools }) => tools.length),
      () => 'refused',
    )
    expect([response.status, mcp]).toEqual(opens.includes(mode) ? [200, 4] : [401, 'refused'])
    const text = await response.text()
    expect(text.includes('"code":"unauthenticated"')).toBe(!opens.includes(mode))
    expect(credential !== undefined && text.includes(credential)).toBe(false)
  })

  test('a header of another form is no missing one', async () => {
    for (const authorization of [
      'Basic Ym9iOmJvYg==',
      'Bearer',
      'Bearer a b',
      'nonsense',
      `Token ${await tokenOf({})}`,
    ]) {
      const response = await fetch(`${server.url}/v1/registry`, { headers: { authorization } })
      expect([authorization, response.status]).toEqual([authorization, mode === 'off' ? 200 : 401])
    }
  })

  test('what is public needs nothing', async () => {
    for (const path of ['/v1/health', '/v1/grammar', '/openapi.json'])
      expect((await server.send('nonsense', 'GET', path)).status).toBe(200)
  })

  test('names the issuers whose tokens it accepts', async () => {
    const document = {
      resource: 'https://plasmid.example/mcp',
      resource_name: 'Plasmid',
      authorization_servers: ISSUERS,
      bearer_methods_supported: ['header'],
    }
    const takesTokens = mode === 'optional' || mode === 'required'
    for (const suffix of ['', '/mcp']) {
      const response = await fetch(`${server.url}/.well-known/oauth-protected-resource${suffix}`)
      const expected = takesTokens ? [200, document] : [404, undefined]
      const told: unknown = takesTokens ? await response.json() : undefined
      expect([response.status, told]).toEqual(expected)
    }
  })

  test('names the authorization server in a refusal', async () => {
    const metadata = `, resource_metadata="${METADATA}"`
    const expected = {
      off: [null, null],
      token: ['Bearer realm="plasmid"', 'Bearer realm="plasmid", error="invalid_token"'],
      optional: [null, `Bearer realm="plasmid"${metadata}, error="invalid_token"`],
      required: [
        `Bearer realm="plasmid"${metadata}`,
        `Bearer realm="plasmid"${metadata}, error="invalid_token"`,
      ],
    }
    const refused = await Promise.all(
      [undefined, 'nonsense'].map((credential) => server.send(credential, 'POST', '/mcp', {})),
    )
    expect(refused.map(({ headers }) => headers.get('www-authenticate'))).toEqual(expected[mode])
  })
})

describe('callers', () => {
  let server: AuthTestServer
  beforeAll(async () => {
    server = await startAuthTestServer({ auth: 'optional' })
  })
  afterAll(() => server.close())

  const longRefOf = async (credential: string | undefined, intent = 'one intent') => {
    const opened = await server.send(credential, 'POST', '/v1/contexts', { intent, seeds: SEEDS })
    expect([200, 201]).toContain(opened.status)
    const shown = await server.send(credential, 'GET', opened.headers.get('location') ?? '')
    return (await jsonOf<{ readonly long_ref: string }>(shown)).long_ref
  }

  test('stay apart under similar names', async () => {
    const credentials = [
      undefined,
      await tokenOf({ tenant_id: 'acme' }),
      await tokenOf({ tenant_id: 'acme' }, ISSUERS[1]),
      await tokenOf({ tenant_id: 'acme', sub: 'alice' }),
      await tokenOf({}),
      await tokenOf({}, ISSUERS[1]),
      await tokenOf({ tenant_id: 'anonymous', sub: 'anonymous' }),
      await tokenOf({ sub: 'anonymous' }),
      await tokenOf({ tenant_id: 'a', sub: 'bc' }),
      await tokenOf({ tenant_id: 'ab', sub: 'c' }),
      await tokenOf({ tenant_id: 'caf\u00e9' }),
      await tokenOf({ tenant_id: 'cafe\u0301' }),
      await server.keyOf('bob', 'acme'),
      await server.keyOf('bob'),
      await server.keyOf('anonymous'),
    ]
    const refs = await Promise.all(credentials.map((credential) => longRefOf(credential)))
    expect(new Set(refs).size).toBe(credentials.length)
  })

  test('are the same by every credential of theirs', async () => {
    const keys = [await server.keyOf('ci', 'acme'), await server.keyOf('ci', 'acme')]
    const tokens = [await tokenOf({ tid: 'acme', jti: '1' }), await tokenOf({ tenant: 'acme', jti: '2' })]
    for (const same of [keys, tokens])
      expect(new Set(await Promise.all(same.map((one) => longRefOf(one, 'again')))).size).toBe(1)
  })

  test('get the same answer for another caller\u2019s data as for data that does not exist', async () => {
    const [bob, eve] = [await tokenOf({ sub: 'bob' }), await tokenOf({ sub: 'eve' })]
    const ref = await longRefOf(bob, 'mine')
    const unknown = `l_${'A'.repeat(22)}`
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/table', undefined],
      ['DELETE', '', undefined],
      ['POST', '/run', { program: 'Customer' }],
      ['POST', '/plan', { program: 'Customer' }],
      ['POST', '/seeds', { seeds: SEEDS }],
      ['GET', '/snapshots/1', undefined],
    ] as const) {
      const answers = await Promise.all(
        [ref, unknown].map(async (one) => {
          const response = await server.send(eve, method, `/v1/contexts/${one}${path}`, body)
          return [response.status, (await response.text()).replaceAll(one, 'REF')]
        }),
      )
      expect(answers[0]).toEqual(answers[1])
      expect(answers[0]?.[0]).toBe(404)
    }
    expect((await server.send(bob, 'GET', `/v1/contexts/${ref}`)).status).toBe(200)
  })

  test('without credentials continue by the long ref', async () => {
    const client = await server.client()
    const open = async () => {
      const opened = await client.callTool({
        name: 'plasm_context',
        arguments: { intent: 'same', seeds: SEEDS },
      })
      return /^`(l_[\w-]{22})`\n\n```tsv\n/.exec(textOf(opened))?.[1] ?? ''
    }
    const [one, two] = [await open(), await open()]
    expect([one === '', one === two]).toEqual([false, false])
    const runs = async (ref: string) =>
      textOf(
        await client.callTool({
          name: 'plasm_run',
          arguments: { logical_session_ref: ref, program: 'Customer[id]' },
        }),
      )
    expect(await runs(one)).toContain('c1')
    expect(await runs('s0')).toContain('unknown_session')
  })

  test('keep their credential to themselves', async () => {
    const credential = await tokenOf({ sub: 'bob' })
    const client = await server.client(credential)
    const opened = await client.callTool({ name: 'plasm_context', arguments: { intent: 'x', seeds: SEEDS } })
    const ran = await client.callTool({
      name: 'plasm_run',
      arguments: { logical_session_ref: 's0', program: 'Customer[id]' },
    })
    expect(textOf(ran)).toContain('c1')
    expect(JSON.stringify([opened, ran])).not.toContain(credential)
    expect(server.api.credentials.every((header) => header === undefined)).toBe(true)
    expect(server.api.credentials.length).toBeGreaterThan(0)
  })
})

const denied = (more = '') => `callers: [{ from: "${ISSUERS[0]}", tenant: acme, ${more} }]`

describe('a policy', () => {
  let server: AuthTestServer
  beforeAll(async () => {
    server = await startAuthTestServer({ auth: 'required' })
  })
  afterAll(() => server.close())

  test('takes rights back at the next call, between pages', async () => {
    const bob = await tokenOf({ tenant_id: 'acme' })
    const client = await server.client(bob)
    const call = async (name: string, input: Record<string, unknown>) =>
      textOf(await client.callTool({ name, arguments: input }))
    await call('plasm_context', { intent: 'pages', seeds: SEEDS })
    expect(await call('plasm_run', { logical_session_ref: 's0', program: 'Customer[id]' })).toContain(
      'page(s0_pg1)',
    )
    await server.writePolicy(denied('catalogs: {}'))
    expect(await call('plasm_run', { logical_session_ref: 's0', program: 'page(s0_pg1)' })).toContain(
      'not_allowed',
    )
    const registry = await jsonOf<{ readonly entries: readonly object[] }>(
      await server.send(bob, 'GET', '/v1/registry'),
    )
    expect(registry.entries).toEqual([])
    // The tenant of that name elsewhere is another one.
    const other = await server.send(await tokenOf({ tenant_id: 'acme' }, ISSUERS[1]), 'GET', '/v1/registry')
    expect((await jsonOf<{ readonly entries: readonly object[] }>(other)).entries).toHaveLength(1)
    await server.writePolicy('default: allow')
    expect(await call('plasm_run', { logical_session_ref: 's0', program: 'page(s0_pg1)' })).toContain('c4')
  })

  test('ends credentials from before', async () => {
    const old = await tokenOf({ tenant_id: 'acme', iat: now - 600 })
    const timeless = await tokenOf({ tenant_id: 'acme', iat: null })
    const other = await tokenOf({ tenant_id: 'other', iat: now - 600 })
    const status = async (credential: string) => (await server.send(credential, 'GET', '/v1/registry')).status
    // Verified once, and so known already.
    expect(await Promise.all([old, timeless, other].map(status))).toEqual([200, 200, 200])
    await server.writePolicy(denied(`revoked_before: "${new Date((now - 300) * 1000).toISOString()}"`))
    expect(await Promise.all([old, timeless, other].map(status))).toEqual([401, 401, 200])
    expect(await status(await tokenOf({ tenant_id: 'acme', iat: now }))).toBe(200)
    await server.writePolicy('default: allow')
  })

  test('that breaks refuses every caller', async () => {
    const bob = await tokenOf({ tenant_id: 'acme' })
    await server.writePolicy('defualt: deny')
    const response = await server.send(bob, 'GET', '/v1/registry')
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({
        code: 'access_unavailable',
        detail: expect.stringContaining('The policy, or the data that verifies callers, cannot be read.'),
      }),
    ])
    await server.writePolicy('default: allow')
    expect((await server.send(bob, 'GET', '/v1/registry')).status).toBe(200)
  })
})

test('does not start without anything to verify', async () => {
  await expect(startAuthTestServer({ auth: 'required', jwt: [] })).rejects.toThrow('nothing_to_verify')
})

test('does not start with a policy that is wrong', async () => {
  await expect(startAuthTestServer({ auth: 'required', policy: 'missing.yaml' })).rejects.toThrow(
    'policy_unreadable',
  )
})

test('does not start with a secret that is short or missing', async () => {
  const issuer = { issuer: 'https://login.example', secret: 'env:PLASMID_TEST_NO_SUCH_SECRET' }
  await expect(startAuthTestServer({ auth: 'required', jwt: [issuer] })).rejects.toThrow(
    'jwt_secret_unusable',
  )
})
