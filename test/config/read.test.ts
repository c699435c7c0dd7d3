import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig, type ConfigSources } from '../../src/config/read.ts'

const folder = mkdtempSync(join(tmpdir(), 'plasmid-config-'))

function read(sources: Partial<ConfigSources>) {
  return readConfig({ flags: {}, env: { XDG_DATA_HOME: '/data' }, cwd: '/srv', ...sources })
}

function fileOf(text: string): string {
  const path = join(folder, `${Math.random()}.yaml`)
  writeFileSync(path, text)
  return path
}

function codes(result: ReturnType<typeof readConfig>) {
  return result.ok ? [] : result.problems.map(({ code, message, next }) => `${code}: ${message} ${next}`)
}

describe('readConfig', () => {
  test('takes none as no limit of requests', () => {
    const config = read({ flags: { request_rate: 'none' } })
    expect(config.ok && 'requestRate' in config.value).toBe(false)
    expect(config.ok).toBe(true)
  })

  test('has a default for everything', () => {
    expect(read({})).toEqual({
      ok: true,
      value: {
        catalogs: [],
        catalogFlags: [],
        shipped: true,
        backends: {},
        effects: {},
        loops: {},
        readFlows: {},
        discoveryEmbedder: 'static',
        rates: {},
        retryAfterLimitMs: 60_000,
        callLimitMs: 30_000,
        runsAtOnce: 4,
        requestRate: { perSecond: 500, burst: 2000 },
        lifetimes: {},
        store: 'sqlite',
        redis: { url: 'redis://127.0.0.1:6379', prefix: '' },
        dataDir: '/data/plasmid',
        host: '127.0.0.1',
        port: 7750,
        workers: 1,
        auth: 'token',
        access: {
          isLoopback: true,
          jwt: [],
          ownSecrets: [],
          sessionScope: 'principal',
          refs: 'short',
          delegated: false,
        },
        allowedHosts: [],
        workspaces: { trust: 'direct', workspaces: [] },
        contextPrefixes: ['PLASMID_', 'PARACHUTE_'],
        mcpServers: [],
        leftOut: [],
        mcpPool: { most: 32, idleMs: 600_000 },
        mcpWaitMs: 10_000,
      },
    })
  })

  test('refuses a file that other users can write', () => {
    const file = fileOf('port: 1\n')
    chmodSync(file, 0o666)
    expect(codes(read({ file }))).toEqual([
      `config_unreadable: Cannot read the configuration file ${file}: other users can write it (mode 0666): remove that right with \`chmod go-w\`. Correct the path or the file.`,
    ])
  })

  test('reads the trust of workspaces, and refuses what it does not know', () => {
    const file = fileOf(
      'trust: Sandboxed\nworkspaces:\n  - {root: /projects/a/, id: a, trust: " DIRECT "}\n  - {root: /b, catalogs: [shop]}\nworkspace_header: X-Workspace\n',
    )
    expect(read({ file })).toMatchObject({
      value: {
        workspaces: {
          trust: 'sandboxed',
          workspaces: [
            { root: '/projects/a', id: 'a', trust: 'direct' },
            { root: '/b', catalogs: ['shop'] },
          ],
        },
        workspaceHeader: 'x-workspace',
      },
    })
    for (const wrong of [
      'trust: trusted',
      'workspaces: [{root: relative}]',
      'workspaces: [{root: /a, trust: full}]',
      'workspaces: [{root: /a, id: A B}]',
      'workspaces: [{root: /a, servers: {}}]',
      'workspace_header: "X Y"',
      'context_prefixes: [lower_]',
    ])
      expect(codes(read({ file: fileOf(wrong) })), wrong).toHaveLength(1)
  })

  test('takes the context that another Plasmid gives its servers', () => {
    const env = { PLASMID_SESSION_ID: 'l_x', PLASMID_WORKSPACE_ID: '', PLASMID_TRUST_LEVEL: 'sandboxed' }
    expect(read({ env })).toMatchObject({ ok: true, value: { workspaces: { trust: 'direct' } } })
  })

  test('prefers flags to environment to file', () => {
    const file = fileOf('port: 1\nstore: memory\nhost: ::1\n')
    const env = { PLASMID_PORT: '2', PLASMID_STORE: 'sqlite', XDG_DATA_HOME: '/data' }
    expect(read({ file, env, flags: { port: 3, host: undefined } })).toMatchObject({
      value: { port: 3, store: 'sqlite', host: '::1' },
    })
  })

  test('takes the URL of a Redis for a store', () => {
    expect(read({ env: { PLASMID_STORE: 'rediss://:pw@r:1/2', PLASMID_REDIS_PREFIX: 'a' } })).toMatchObject({
      value: { store: 'redis', redis: { url: 'rediss://:pw@r:1/2', prefix: 'a' } },
    })
    expect(read({ flags: { store: 'redis' } })).toMatchObject({
      value: { store: 'redis', redis: { url: 'redis://127.0.0.1:6379' } },
    })
    expect(codes(read({ flags: { store: 'mysql://a' } }))).toHaveLength(1)
  })

  test('resolves paths against the working directory', () => {
    expect(read({ flags: { catalogs: ['a', '/b'], data_dir: 'c' } })).toMatchObject({
      value: { catalogs: [{ source: '/srv/a' }, { source: '/b' }], dataDir: '/srv/c' },
    })
  })

  test('reads lists and pairs from the environment', () => {
    const env = {
      PLASMID_CATALOGS: '/a:/b',
      PLASMID_BACKENDS: 'shop=http://127.0.0.1:1,b=https://b.test/v1',
      PLASMID_SHIPPED: 'false',
    }
    expect(read({ env })).toMatchObject({
      value: {
        catalogs: [{ source: '/a' }, { source: '/b' }],
        backends: { shop: 'http://127.0.0.1:1', b: 'https://b.test/v1' },
        shipped: false,
      },
    })
  })

  test('reads policies by catalog', () => {
    expect(read({ env: { PLASMID_EFFECTS: 'shop=allow,*=deny' } })).toMatchObject({
      value: { effects: { shop: 'allow', '*': 'deny' } },
    })
    expect(read({ flags: { effects: ['shop=allow'] } })).toMatchObject({
      value: { effects: { shop: 'allow' } },
    })
    expect(codes(read({ flags: { effects: ['shop'] } }))).toEqual([
      'bad_value: `--effects shop` must be `allow`, `review`, `confirm` or `deny`. Correct `--effects shop`.',
    ])
  })

  test('reads lifetimes in milliseconds, and refuses unknown names', () => {
    const env = { PLASMID_LIFETIMES: 'plan=90s,record=90d', XDG_DATA_HOME: '/data' }
    expect(read({ env })).toMatchObject({ value: { lifetimes: { plan: 90_000, record: 90 * 86_400_000 } } })
    expect(read({ file: fileOf('lifetimes: { page: 2h }') })).toMatchObject({
      value: { lifetimes: { page: 7_200_000 } },
    })
    for (const given of ['{ row: 40d }', '{ row: 2h, record: 1h }'])
      expect(codes(read({ file: fileOf(`lifetimes: ${given}`) }))).toEqual([
        expect.stringMatching(/^invalid_setting: .*lifetimes[.]row.* must be at most `lifetimes.record`/),
      ])
    expect(read({ file: fileOf('lifetimes: { row: 40d, record: 40d }') }).ok).toBe(true)
    expect(codes(read({ file: fileOf('lifetimes: { plans: 1h, row: 0s, page: 400d }') }))).toEqual([
      expect.stringMatching(/^invalid_setting: .*lifetimes[.]row.* must look like `90s`/),
      expect.stringMatching(/^invalid_setting: .*lifetimes[.]page.* must be at most 365d/),
      expect.stringMatching(/^unknown_setting: .*plans.*plan/),
    ])
  })

  test('reads rates by origin', () => {
    const [shop, wiki] = ['https://api.shop.test', 'http://127.0.0.1:8080']
    expect(read({ env: { PLASMID_RATES: `${shop}=5000/h burst 20,${wiki}=10/s` } })).toMatchObject({
      value: {
        rates: { [shop]: { perSecond: 5000 / 3600, burst: 20 }, [wiki]: { perSecond: 10, burst: 10 } },
      },
    })
    expect(read({ file: fileOf(`rates: { ${shop}: 30/m }`) })).toMatchObject({
      value: { rates: { [shop]: { perSecond: 0.5, burst: 1 } } },
    })
    for (const [origin, rate] of [
      [`${shop}/v1`, '10/s'],
      ['api.shop.test', '10/s'],
      [shop, '0/s'],
      [shop, '10'],
      [shop, '10/d'],
      [shop, '10/s burst 0'],
      [shop, ''],
    ])
      expect(read({ env: { PLASMID_RATES: `${origin}=${rate}` } })).toMatchObject({
        ok: false,
        problems: [{ code: 'invalid_setting', message: expect.stringContaining('`rates') }],
      })
  })

  test('says what an origin is', () => {
    expect(codes(read({ flags: { rates: ['https://api.shop.test/v1=10/s'] } }))).toEqual([
      'invalid_setting: The setting `rates.https://api.shop.test/v1` in the command line must be an origin: https://host[:port]. Correct `rates.https://api.shop.test/v1`.',
    ])
  })

  test('ignores a relative XDG directory', () => {
    const result = read({ env: { XDG_DATA_HOME: 'relative' } })
    expect(result.ok && result.value.dataDir).toMatch(/\/\.local\/share\/plasmid$/)
  })

  test('takes the secret from the environment', () => {
    expect(read({ env: { PLASMID_SECRET: 'x' } })).toMatchObject({ value: { secret: 'x' } })
  })

  test('names every unknown setting with the nearest', () => {
    const file = fileOf('data_dirs: /x\nprot: 1\nzzz: 1\n')
    expect(codes(read({ file, env: { PLASMID_STOER: 'memory' } }))).toEqual([
      'unknown_setting: Unknown setting `PLASMID_STOER` in the environment. Did you mean `PLASMID_STORE`?',
      `unknown_setting: Unknown setting \`data_dirs\` in the file ${file}. Did you mean \`data_dir\`?`,
      `unknown_setting: Unknown setting \`prot\` in the file ${file}. Did you mean \`port\`?`,
      `unknown_setting: Unknown setting \`zzz\` in the file ${file}. Remove it.`,
    ])
  })

  test('names every invalid value with its source', () => {
    expect(
      codes(read({ flags: { store: 'files', backends: { a: '' } }, env: { PLASMID_PORT: 'many' } })),
    ).toEqual([
      'bad_value: `--backend a` must be an http or https URL. Correct `--backend a`.',
      'bad_value: `--store` must be sqlite, memory, redis or redis://host:port. Correct `--store`.',
      'invalid_setting: The setting `port` in the environment must be a number. Correct `port`.',
    ])
  })

  test.each(['- a\n- b\n', 'a: [', '{"port": 1'])('refuses a file that is no settings: %j', (text) => {
    const result = read({ file: fileOf(text) })
    expect(result.ok ? [] : result.problems.map(({ code }) => code)).toEqual(['config_unreadable'])
  })

  test('refuses to be open beyond loopback', () => {
    const open = { host: '0.0.0.0', auth: 'off' }
    expect(codes(read({ flags: open }))).toEqual([
      'open_to_everybody: Without authentication, 0.0.0.0 would be open to every client that can reach it. ' +
        'Omit `--auth off`, listen on 127.0.0.1, or set --allow-unauthenticated.',
    ])
    expect(read({ flags: { ...open, allow_unauthenticated: true } }).ok).toBe(true)
    expect(read({ flags: { host: '127.0.0.1', auth: 'off' } }).ok).toBe(true)
    expect(read({ flags: { host: '0.0.0.0', auth: 'token' } }).ok).toBe(true)
  })

  test('reads issuers from file and environment', () => {
    const issuer = { issuer: 'https://login.example', jwks: 'file:keys.json', scopes: ['use'] }
    const expected = {
      access: {
        jwt: [
          {
            issuer: 'https://login.example',
            audience: ['https://plasmid.example/mcp'],
            source: { file: '/srv/keys.json' },
            scopes: ['use'],
            toleranceSeconds: 30,
          },
        ],
        publicUrl: 'https://plasmid.example',
      },
    }
    const flags = { public_url: 'https://plasmid.example/' }
    expect(read({ flags: { ...flags, jwt: [issuer] } })).toMatchObject({ value: expected })
    expect(read({ flags, env: { PLASMID_JWT: JSON.stringify([issuer]) } })).toMatchObject({ value: expected })
  })

  test.each([
    ['an issuer that is a word of ours', { issuer: 'local', secret: 'env:X' }],
    ['an issuer without keys', { issuer: 'a' }],
    ['an issuer with two kinds of keys', { issuer: 'a', jwks: 'file:x', secret: 'env:X' }],
    ['keys over plain HTTP', { issuer: 'a', jwks: 'http://login.example/jwks' }],
    ['keys behind a password', { issuer: 'a', jwks: 'https://u:p@login.example/jwks' }],
    ['a secret that stands here', { issuer: 'a', secret: 'hunter2' }],
    ['a setting that is none', { issuer: 'a', secret: 'env:X', audiense: 'x' }],
  ])('refuses %s', (_, issuer) => {
    const result = read({ flags: { jwt: [{ audience: 'us', ...issuer }] } })
    expect(result.ok ? [] : result.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/`jwt|`audiense`/),
    ])
    expect(JSON.stringify(result)).not.toContain('hunter2')
  })

  test('refuses settings that do not go together', () => {
    const issuer = { issuer: 'https://login.example', secret: 'env:X' }
    const flags = { jwt: [issuer, issuer], session_scope: 'tenant', auth_resolution: 'delegated' }
    const result = read({ flags: { ...flags, auth: 'optional', host: '0.0.0.0' } })
    expect(result.ok ? [] : result.problems.map(({ code }) => code)).toEqual([
      'open_to_everybody',
      'scope_conflict',
      'issuer_twice',
      'audience_missing',
      'audience_missing',
    ])
  })

  test('knows the name of delegation that hosts set', () => {
    const delegated = (env: Record<string, string>) => {
      const result = read({ env })
      return result.ok && result.value.access.delegated
    }
    expect(delegated({ PLASM_AUTH_RESOLUTION: 'delegated' })).toBe(true)
    expect(delegated({ PLASM_AUTH_RESOLUTION: 'delegated', PLASMID_AUTH_RESOLUTION: 'server' })).toBe(false)
    expect(delegated({ PLASMID_AUTH_RESOLUTION: 'delegated' })).toBe(true)
  })
})

test('names what flags and the environment leave out of the file', () => {
  const file = fileOf(
    'catalogs: [{id: a, source: /a}, /b, {source: /c}]\neffects: {shop: deny, "*": confirm}\nport: 1\nbackends: {a: "https://a.example"}\n',
  )
  const flags = { catalogs: ['/x'], port: 2 }
  const config = readConfig({ flags, env: { PLASMID_EFFECTS: 'shop=allow' }, file, cwd: '/' })
  expect(config.ok ? config.value.leftOut : config.problems).toEqual([
    { name: 'catalogs', where: 'the command line', entries: ['a', '/b', 'number 3'] },
    { name: 'effects', where: 'the environment', entries: ['shop', '*'] },
  ])
})

test('as many workers as it says, or one for each core', () => {
  const workersOf = (workers: unknown, env: Record<string, string> = {}) => {
    const config = readConfig({ flags: { workers }, env, cwd: '/' })
    return config.ok ? config.value.workers : config.problems.map(({ message }) => message)
  }
  expect([workersOf(4), workersOf(undefined, { PLASMID_WORKERS: '3' }), workersOf('auto')]).toEqual([
    4,
    3,
    availableParallelism(),
  ])
  expect(workersOf(0)).toEqual(['`--workers` must be at least 1.'])
})
