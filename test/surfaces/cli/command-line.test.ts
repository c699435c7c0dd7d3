import { spawnSync } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GRAMMAR } from '../../../src/engine/index.ts'
import { TOOLS } from '../../../src/surfaces/mcp/tools.ts'
import { plasmid } from '../plasmid.ts'
import { cleanEnv, PLASMID } from '../plasmid-process.ts'
import { SHOP } from '../test-server.ts'
import { startShopApi, type ShopApi } from '../shop-api.ts'

let api: ShopApi
let data: string
let engine: readonly string[]
beforeAll(async () => {
  api = await startShopApi()
  data = await mkdtemp(join(tmpdir(), 'plasmid-cli-'))
  engine = ['--data-dir', data, '--no-shipped', '--catalog', SHOP, '--backend', `shop=${api.url}`]
})
afterAll(() => api.close())

describe('plasmid', () => {
  // A device of Linux that has no space left.
  test.runIf(existsSync('/dev/full'))('fails if its output cannot be written', () => {
    const full = openSync('/dev/full', 'w')
    const args = [PLASMID, '--version']
    const { status, stderr } = spawnSync(process.execPath, args, {
      stdio: ['ignore', full, 'pipe'],
      env: cleanEnv(),
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, expect.stringContaining('The output could not be written: ENOSPC')])
  })

  test('shows its commands', async () => {
    const { code, stdout, stderr } = await plasmid(['--help'])
    expect([code, stderr]).toEqual([0, ''])
    for (const name of [
      'serve',
      'mcp',
      'discover',
      'context',
      'plan',
      'run',
      'page',
      'sessions',
      'close',
      'catalog check',
      'help language',
    ]) {
      expect(stdout).toContain(`  ${name}  `)
    }
  })

  test.each([
    ['keys', '--help'],
    ['keys', '-h'],
    ['help', 'keys'],
    ['help', 'keys', '--help'],
  ])('shows the commands of a group: %s %s', async (...args) => {
    const { code, stdout } = await plasmid(args)
    expect(code).toBe(0)
    expect(stdout.match(/^ +\w+ \w+ {2,}/gm)?.map((line) => line.trim())).toEqual([
      'keys add',
      'keys list',
      'keys revoke',
    ])
  })

  test.each([
    ['help', '--help'],
    ['help', 'help'],
    ['help', '-h'],
    ['help', '--json'],
  ])('shows its commands: %s %s', async (...args) => {
    const { code, stdout } = await plasmid(args)
    expect([code, stdout]).toEqual([0, (await plasmid(['--help'])).stdout])
  })

  test('every help lists the exit codes, and prints plain text to a pipe', async () => {
    for (const args of [['--help'], ['keys', '--help'], ['run', '--help']]) {
      const { stdout } = await plasmid(args, '', { FORCE_COLOR: '1' })
      expect(stdout).toMatch(/^EXIT CODES 0 success, 1 .+, 2 .+\n$/m)
      expect(stdout).toBe(stripVTControlCharacters(stdout).replaceAll(/ +$/gm, ''))
    }
  })

  test('teaches the language as the tools do', async () => {
    const { stdout } = await plasmid(['help', 'language'])
    expect(stdout).toBe(GRAMMAR)
    expect(TOOLS.some(({ description }) => description.endsWith(stdout))).toBe(true)
  })

  test.each([
    [['srve'], 'unknown_command: There is no command `srve`. Did you mean `serve`?\n'],
    [
      ['catalog', 'chek'],
      'unknown_command: There is no command `catalog chek`. Did you mean `catalog check`?\n',
    ],
    [
      ['keys'],
      'incomplete_command: `plasmid keys` needs a subcommand. Use `plasmid keys add`, `plasmid keys list` or `plasmid keys revoke`.\n',
    ],
    [
      ['toString'],
      'unknown_command: There is no command `toString`. Run `plasmid --help` for the commands.\n',
    ],
    [
      ['run', '--rfe', 's0', '--ref', 's0', 'e1'],
      'unknown_flag: `plasmid run` has no flag `--rfe`. Did you mean `--ref`?\n',
    ],
    [
      ['run', 'e1'],
      'missing_operand: `plasmid run` needs --ref REF. Run `plasmid run --help` for its usage.\n',
    ],
    [
      ['context', '--seed', 'shop'],
      'bad_value: `--seed` must be API:ENTITY, got `shop`. Correct `--seed`.\n',
    ],
    [
      ['run', '--ref', 's0', '--file', '/none/x'],
      expect.stringMatching(/^unreadable_file: Cannot read `\/none\/x`: ENOENT/),
    ],
    [['run', '--ref', 's0', '--file', '-', 'e1'], expect.stringMatching(/^given_twice: /)],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await plasmid(args)
    expect([code, stdout, stderr]).toEqual([2, '', message])
  })

  test('refuses as JSON where that is asked for', async () => {
    const { code, stdout, stderr } = await plasmid(['catalog', '--json'])
    expect([code, stderr]).toEqual([2, ''])
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, problems: [{ code: 'incomplete_command' }] })
  })

  test.each([
    [['serve', '--port', 'x'], '`--port` must be a number. Correct `--port`.'],
    [['serve', '--port', '65536'], '`--port` must be at most 65535. Correct `--port`.'],
    [['list', '--backend', 'a=b'], '`--backend a` must be an http or https URL. Correct `--backend a`.'],
    [
      ['sessions', '--store', 'files'],
      '`--store` must be sqlite, memory, redis or redis://host:port. Correct `--store`.',
    ],
    [
      ['page', 's0_pg1', '--limit', '0'],
      '`--limit` must be a whole number from 1, got `0`. Correct `--limit`.',
    ],
    [
      ['auth', 'login', 'shop', '--port', '70000'],
      '`--port` must be a whole number from 0 to 65535, got `70000`. Correct `--port`.',
    ],
  ])('refuses the value in %j as a wrong command line', async (args, line) => {
    const { code, stdout, stderr } = await plasmid(args)
    expect([code, stdout, stderr]).toEqual([2, '', `bad_value: ${line}\n`])
  })

  test.each([
    [['keys', 'add', '--subject', 'a', '--expires', 'soon'], 'key_bad_expiry'],
    [['init', 'emacs'], 'unknown_host'],
    [['init', 'zed', '--protocol', 'lsp'], 'host_protocol'],
    [['list', '--config', '/none/x'], 'config_unreadable'],
    [['sessions', '--mcp-file', '/none/x'], 'mcp_file_unreadable'],
    [['close', 'session'], 'bad_ref'],
    [['context', '--intent', 'a', '--seed', 'shop:Customer', '--have', 'all'], 'bad_have'],
  ])('the wrong value in %j is one of the command line', async (args, problem) => {
    const { code, stderr } = await plasmid([...args, '--data-dir', data])
    expect([code, stderr.split(':')[0]?.split(' ')[0]]).toEqual([2, problem])
  })

  test('a setting outside the command line is refused as one', async () => {
    const { code, stderr } = await plasmid(['sessions'], '', { PLASMID_STOER: 'x', PLASMID_PORT: 'x' })
    expect([code, stderr]).toEqual([
      2,
      'unknown_setting: Unknown setting `PLASMID_STOER` in the environment. Did you mean `PLASMID_STORE`?\n' +
        'invalid_setting: The setting `port` in the environment must be a number. Correct `port`.\n',
    ])
  })
})

describe('a session on the command line', () => {
  test('continues from one command to the next', async () => {
    const opened = await plasmid(['context', '--intent', 'cli', '--seed', 'shop:Customer', ...engine])
    expect(opened).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^`s0`\n\n```tsv\n/) })
    const again = await plasmid([
      'context',
      '--intent',
      'cli',
      '--seed',
      'shop:Customer',
      '--json',
      ...engine,
    ])
    expect(JSON.parse(again.stdout)).toMatchObject({
      ok: true,
      reused: true,
      _meta: { plasm: { logical_session_ref: 's0' } },
    })
    const listed = await plasmid(['sessions', ...engine])
    expect(listed.stdout).toBe('s0 live r1 "cli" e1=shop.Customer\n')

    const planned = await plasmid(['plan', '--ref', 's0', ...engine], 'e1.limit(2)[id]')
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringMatching(/^```text\n/) })
    expect(api.requests).toEqual([])
    const run = await plasmid(['run', '--ref', 's0', 'e1.limit(2)[id]', ...engine])
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('c2') })
    expect(api.requests.length).toBeGreaterThan(0)

    const wrong = await plasmid(['run', '--ref', 's0', 'e1[nmae]', ...engine])
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('unknown_field') })
    const asJson = await plasmid(['run', '--ref', 's0', 'e1[nmae]', '--json', ...engine])
    expect([asJson.code, JSON.parse(asJson.stdout)]).toMatchObject([
      1,
      { ok: false, problems: [{ code: 'unknown_field' }] },
    ])

    expect(await plasmid(['close', 's0', ...engine])).toMatchObject({ code: 0, stdout: 'Closed `s0`.\n' })
    expect(await plasmid(['close', 's0', ...engine])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unknown_session'),
    })
  }, 60_000)

  test('finds what fits a goal', async () => {
    const { stdout } = await plasmid(['discover', 'list customers', ...engine])
    expect(stdout).toContain('shop\tCustomer\t')
    const named = await plasmid(['discover', '--intent', 'list customers', ...engine])
    expect(named.stdout).toBe(stdout)
    const twice = await plasmid(['discover', '--intent', 'a', 'b', ...engine])
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringMatching(/^given_twice: The goal is given/)])
  })

  test('a session without seeds names the flags that it takes', async () => {
    const { code, stderr } = await plasmid(['context', '--ref', 's0', ...engine])
    expect(code).toBe(2)
    expect(stderr).toContain(
      'Pass the rows of `plasmid discover` that the goal needs as `--seed`; to see the table of an existing session again, pass `--have` instead.',
    )
  })
})

describe('catalog check', () => {
  test('reports a valid catalog', async () => {
    const { code, stdout } = await plasmid(['catalog', 'check', SHOP])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/: ok: `shop` has \d+ entities, \d+ capabilities, all of them run\n/),
    ])
  })

  test('reports errors, as JSON on request', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'plasmid-broken-'))
    await writeFile(join(broken, 'domain.yaml'), 'entities: [')
    const human = await plasmid(['catalog', 'check', SHOP, broken])
    expect([human.code, human.stdout]).toEqual([1, expect.stringContaining(`${broken}: not ok\n  error: `)])
    const { code, stdout } = await plasmid(['catalog', 'check', broken, '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { ok: false, reports: [{ ok: false, path: broken, errors: [{ code: expect.any(String) }] }] },
    ])
  })

  test('shows names that speak to a terminal as what they are', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'plasmid-broken-'))
    await writeFile(join(broken, 'domain.yaml'), 'entities: { "It\\e[31mem": {} }')
    await writeFile(join(broken, 'mappings.yaml'), '{}')
    const { stdout } = await plasmid(['catalog', 'check', broken])
    expect(stdout).toContain('bad_name: `entities.It\\u{1b}[31mem` has an invalid name')
    expect(stdout).not.toContain('\u001B')
    expect(stdout).not.toMatch(/\.\.$/m)
  })

  test('leaves a broken catalog out with a notice', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'plasmid-broken-'))
    await writeFile(join(broken, 'domain.yaml'), 'entities: [')
    const { code, stdout, stderr } = await plasmid(['sessions', ...engine, '--catalog', broken])
    expect([code, stdout, stderr]).toEqual([0, '_No sessions._\n', expect.stringContaining(broken)])
  })
})

test('an API is asked no more often than its rate', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-rate-'))
  const own = [...engine.slice(2), '--data-dir', dataDir]
  await plasmid(['context', '--intent', 'rate', '--seed', 'shop:Customer', ...own])
  const program = 'a = e1("c1")\nb = e1("c2")\nc = e1("c3")\na[id], b[id], c[id]'
  const before = api.requests.length
  const env = { PLASMID_RATES: `${new URL(api.url).origin}=1/h burst 2` }
  const { stdout, stderr } = await plasmid(['run', '--ref', 's0', program, ...own], '', env)
  expect([api.requests.length - before, stdout + stderr]).toEqual([
    2,
    expect.stringContaining('**throttled**'),
  ])
})

describe('the configuration', () => {
  test.each([
    ['add', SHOP, '--id', 'own', '--no-try'],
    ['remove', 'own'],
    ['catalog', 'refresh', 'own'],
  ])('%s refuses a place that stores no files, in one line', async (...args) => {
    const { code, stderr } = await plasmid([...args, '--data-dir', '/proc/none'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^data_dir_unusable: [^\n]+\n$/)])
  })

  test('an entry takes the place of a shipped catalog with its id', async () => {
    const own = join(data, 'in-place')
    const added = await plasmid(['add', SHOP, '--id', 'github', '--no-try', '--data-dir', own])
    expect(added.stdout).toContain('It is served in place of the catalog `github` that comes with Plasmid.')
    const listed = await plasmid(['list', '--data-dir', own])
    expect(listed.stdout.match(/^github: .*/gm)).toEqual([expect.stringContaining(SHOP)])
  })

  test('the version is one line, as JSON too', async () => {
    expect(JSON.parse((await plasmid(['--version', '--json'])).stdout)).toEqual({
      ok: true,
      version: expect.stringMatching(/^\d/),
    })
  })
})
