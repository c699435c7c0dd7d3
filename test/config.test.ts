import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig, type ConfigSources } from '../src/config.ts'

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
  return result.ok ? [] : result.problems.map(({ code, message, next }) => `${code}: ${message}. ${next}`)
}

describe('readConfig', () => {
  test('has a default for everything', () => {
    expect(read({})).toEqual({
      ok: true,
      value: {
        catalogs: [],
        shipped: true,
        backends: {},
        effects: {},
        store: 'sqlite',
        redis: { url: 'redis://127.0.0.1:6379', prefix: '' },
        dataDir: '/data/plasmid',
        host: '127.0.0.1',
        port: 7750,
        auth: 'token',
        allowedHosts: [],
      },
    })
  })

  test('prefers flags to environment to file', () => {
    const file = fileOf('port: 1\nstore: memory\nhost: ::1\n')
    const env = { PLASMID_PORT: '2', PLASMID_STORE: 'sqlite', XDG_DATA_HOME: '/data' }
    expect(read({ file, env, flags: { port: 3, host: undefined } })).toMatchObject({
      value: { port: 3, store: 'sqlite', host: '::1' },
    })
  })

  test('resolves paths against the working directory', () => {
    expect(read({ flags: { catalogs: ['a', '/b'], data_dir: 'c' } })).toMatchObject({
      value: { catalogs: ['/srv/a', '/b'], dataDir: '/srv/c' },
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
        catalogs: ['/a', '/b'],
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
      'invalid_setting: setting `effects.shop` in the command line is not valid: invalid option: expected one of "allow"|"review"|"deny". Correct `effects.shop`',
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
      'unknown_setting: unknown setting `PLASMID_STOER` in the environment. Did you mean `PLASMID_STORE`?',
      `unknown_setting: unknown setting \`data_dirs\` in the file ${file}. Did you mean \`data_dir\`?`,
      `unknown_setting: unknown setting \`prot\` in the file ${file}. Did you mean \`port\`?`,
      `unknown_setting: unknown setting \`zzz\` in the file ${file}. Remove it`,
    ])
  })

  test('names every invalid value with its source', () => {
    expect(
      codes(read({ flags: { store: 'files', backends: { a: '' } }, env: { PLASMID_PORT: 'many' } })),
    ).toEqual([
      'invalid_setting: setting `backends.a` in the command line is not valid: invalid URL. Correct `backends.a`',
      'invalid_setting: setting `store` in the command line is not valid: invalid option: expected one of "sqlite"|"memory"|"redis". Correct `store`',
      'invalid_setting: setting `port` in the environment is not valid: invalid input: expected number, received string. Correct `port`',
    ])
  })

  test.each(['- a\n- b\n', 'a: [', '{"port": 1'])('refuses a file that is no settings: %j', (text) => {
    const result = read({ file: fileOf(text) })
    expect(result.ok ? [] : result.problems.map(({ code }) => code)).toEqual(['config_unreadable'])
  })

  test('refuses to be open beyond loopback', () => {
    const open = { host: '0.0.0.0', auth: 'off' }
    expect(codes(read({ flags: open }))).toEqual([
      'open_to_everybody: without authentication, listening on 0.0.0.0 would serve everybody who can reach it. ' +
        'Leave out `--auth off`, listen on 127.0.0.1, or agree with --allow-unauthenticated',
    ])
    expect(read({ flags: { ...open, allow_unauthenticated: true } }).ok).toBe(true)
    expect(read({ flags: { host: '127.0.0.1', auth: 'off' } }).ok).toBe(true)
    expect(read({ flags: { host: '0.0.0.0', auth: 'token' } }).ok).toBe(true)
  })
})
