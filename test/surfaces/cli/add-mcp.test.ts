import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { endWithUs } from '../../end-with-us.ts'
import { plasmid as plasmidHere } from '../plasmid.ts'

/* An MCP server added by its command or its address, listed, used and removed, each with one command. */

const NOTES = fileURLToPath(new URL('../../fixtures/mcp/notes-server.mjs', import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'plasmid-add-mcp-'))
const config = join(data, 'plasmid.yaml')
const notes = join(data, 'notes.json')
const NODE = process.execPath

afterAll(() => rmSync(data, { recursive: true, maxRetries: 5 }))

/** Flags come before `--`. */
function plasmid(args: readonly string[], program: readonly string[] = []) {
  const flags = ['--data-dir', data, '--no-shipped']
  const after = program.length > 0 ? ['--', ...program] : []
  return plasmidHere([...args, ...flags, ...after], '', { NOTES_TOKEN: 'hunter2', TOKEN: 'of the caller' })
}

const starts = (): number => JSON.parse(readFileSync(notes, 'utf8')).starts.length

test('adds a program, lists its tools and says what to try', { timeout: 60_000 }, async () => {
  const added = await plasmid(
    ['add', 'mcp', 'notes', '-e', 'NOTES_TOKEN', '--env', 'NOTES_MODE=a b', '--reads', 'annotated'],
    [NODE, NOTES, notes],
  )
  expect([added.code, added.stderr]).toEqual([0, ''])
  expect(added.stdout).toContain(`Added \`notes\` to ${config}: `)
  expect(added.stdout).toContain('\n  list_notes, add_note, ')
  expect(added.stdout).toContain(' of them change nothing.\n')
  expect(added.stdout).toContain('Try this goal: list all notes. Newest last.\n')
  expect(added.stdout).toContain(
    `--seed notes:Note --data-dir ${data}\n  plasmid run --ref s0 'e1.list()' --data-dir ${data}`,
  )
  expect(added.stdout).toContain('no results')
  expect(readFileSync(config, 'utf8')).toBe(`mcp_servers:
  notes:
    command: ${NODE}
    args:
      - ${NOTES}
      - ${notes}
    env:
      NOTES_TOKEN: env:NOTES_TOKEN
      NOTES_MODE: a b
    reads: annotated
`)
})

test('serves it from then on, with its variables', { timeout: 60_000 }, async () => {
  const before = starts()
  const { stdout } = await plasmid(['context', '--intent', 'look at it', '--seed', 'notes:Tools'])
  const ref = /`(s\d+)`/.exec(stdout)?.[1] ?? ''
  // The lists of `add` are used: no program starts to teach it.
  expect(starts()).toBe(before)
  const ran = await plasmid(['run', '--ref', ref, 'e1.environment()'])
  // The server has the secret, and its answers show it struck out.
  expect(ran.stdout).toContain('"NOTES_TOKEN":"SECRET_REMOVED"')
  expect(ran.stdout).toContain('"NOTES_MODE":"a b"')
})

test('list shows it and starts nothing', async () => {
  const before = starts()
  const { stdout } = await plasmid(['list'])
  expect(stdout).toMatch(/^notes: \d+ entities, \d+ capabilities, MCP server; from /)
  expect(starts()).toBe(before)
})

test('show explains it and starts nothing', async () => {
  const before = starts()
  const { code, stdout } = await plasmid(['catalog', 'show', 'notes'])
  expect([code, starts()]).toEqual([0, before])
  expect(stdout).toContain('add_note: create, writes, .add(')
})

test(
  'a server that is dead is named with its cause, by programs and by doctor',
  { timeout: 90_000 },
  async () => {
    const before = readFileSync(config, 'utf8')
    writeFileSync(
      config,
      `${before}  gone:\n    command: ${NODE}\n    args: ['${NOTES}', '${notes}', dead]\n`,
      { mode: 0o600 },
    )
    const context = await plasmid(['context', '--intent', 'look at it', '--seed', 'gone:Tools'])
    expect([context.code, context.stdout]).toEqual([1, ''])
    expect(context.stderr).toMatch(
      /^api_unavailable at seeds\[0\]\.api: .*`gone` is configured and cannot be served now: .*exit code 5/m,
    )
    const shown = await plasmid(['catalog', 'show', 'gone'])
    expect(shown.stderr).toMatch(/^server_unlisted: .*`gone`/)
    const { stdout } = await plasmid(['doctor', '--port', '0'])
    expect(stdout).toMatch(/^ok {4}MCP server notes: answers, with \d+ methods\.$/m)
    expect(stdout).toMatch(/^warn {2}MCP server gone: .*exit code 5/m)
    expect(stdout).not.toContain('no_catalogs')
    writeFileSync(config, before, { mode: 0o600 })
  },
)

test('a configuration that another one puts out of use is named', async () => {
  const other = join(data, 'other.yaml')
  writeFileSync(other, 'shipped: false\n', { mode: 0o600 })
  const { stderr } = await plasmid(['list', '--config', other])
  expect(stderr).toBe(`Settings are read from ${other}; ${config} is not read.\n`)
})

test(
  'changes nothing where the server cannot be listed or its name is taken',
  { timeout: 60_000 },
  async () => {
    const before = readFileSync(config, 'utf8')
    const dead = await plasmid(['add', 'mcp', 'dead'], [NODE, NOTES, notes, 'dead'])
    expect([dead.code, dead.stdout]).toEqual([1, ''])
    expect(dead.stderr).toMatch(
      /^mcp_not_started: .*`dead`.*exit code 5\. It wrote: "notes: there is no board"\. Correct the command/,
    )
    const missing = await plasmid(['add', 'mcp', 'missing'], ['/no/such/program'])
    expect(missing.stderr).toMatch(/^mcp_not_started: .*no program `\/no\/such\/program`/)
    const taken = await plasmid(['add', 'mcp', 'notes'], [NODE, NOTES, notes])
    expect(taken.stderr).toMatch(/^catalog_exists: .*`notes`/)
    expect(readFileSync(config, 'utf8')).toBe(before)
  },
)

test.each([
  [['add', 'mcp', 'it'], /missing_operand: .*an address, or `--` and a program/],
  [['add', 'mcp', 'it', 'npx', '-y', 'a-server'], /unknown_flag: .*`-y`/],
  [['add', 'mcp', 'it', 'ftp://host/mcp'], /bad_value: .*an http\(s\) address/],
  [['add', 'mcp', 'it', 'http://127.0.0.1:1/mcp', '--header', 'secret'], /bad_value: .*`NAME: VALUE`/],
])('refuses %j', async (args, expected) => {
  const { code, stdout, stderr } = await plasmid(args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(expected)
  expect(stderr).not.toContain('secret')
})

test('adds an address with its headers, or by the address alone', { timeout: 90_000 }, async () => {
  const file = join(data, 'web.json')
  const server = spawn(NODE, [NOTES, file, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithUs(server)
  const [url = ''] = await once(createInterface({ input: server.stdout }), 'line')
  const header = 'Authorization: Bearer ${TOKEN}'
  const named = await plasmid(['add', 'mcp', 'web', String(url), '-H', header, '--reads', 'list_notes'])
  expect([named.code, named.stderr]).toEqual([0, ''])
  expect(named.stdout).toContain(
    '12 tools of 4 entities. Running servers take it up when they start again.\n',
  )
  expect(readFileSync(config, 'utf8')).toContain(`  web:
    url: ${url}
    headers:
      Authorization: Bearer \${TOKEN}
    reads:
      - list_notes
`)
  expect(readFileSync(`${file}.headers`, 'utf8')).toContain('"authorization":"Bearer of the caller"')
  // Neither a document nor a schema is there: so it is asked for tools.
  const alone = await plasmid(['add', String(url), '--id', 'found', '--json'])
  expect(JSON.parse(alone.stdout)).toMatchObject({ ok: true, entry_id: 'found', source: url, reads: 0 })
  server.kill('SIGKILL')
})

test(
  'says which tools its server calls reads, and changes nothing by that',
  { timeout: 60_000 },
  async () => {
    const added = await plasmid(['add', 'mcp', 'plain', '--no-try'], [NODE, NOTES, notes])
    expect(added.stdout).toContain(
      'Each tool counts as a change. The server says that 8 of them change nothing: write `reads: annotated` in the configuration to trust it.\n',
    )
    await plasmid(['remove', 'plain'])
  },
)

test('says how to give the credential that a server asks for', async () => {
  const server = createServer((_, response) => void response.writeHead(401).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const { code, stderr } = await plasmid(['add', 'mcp', 'locked', `http://127.0.0.1:${port}/mcp`])
  expect([code, stderr]).toEqual([
    1,
    "mcp_not_started: The MCP server `locked` could not be started or reached: it answered with status 401. Give its credential with `--header 'Authorization: Bearer ${NAME}'`, where NAME is a variable of the environment.\n",
  ])
  server.closeAllConnections()
  server.close()
})

test('a program of this folder starts in it', { timeout: 60_000 }, async () => {
  const path = 'test/fixtures/mcp/environment.mjs'
  const added = await plasmid(['add', 'mcp', 'here', '--no-try'], [NODE, path])
  expect([added.code, added.stderr]).toEqual([0, ''])
  expect(readFileSync(config, 'utf8')).toContain(`    cwd: ${process.cwd()}\n`)
})

test('removes it with its lists', async () => {
  expect(existsSync(join(data, 'mcp', 'notes.json'))).toBe(true)
  for (const name of ['notes', 'web', 'found', 'here'])
    expect((await plasmid(['remove', name])).stdout).toBe(`Removed \`${name}\`.\n`)
  expect(existsSync(join(data, 'mcp', 'notes.json'))).toBe(false)
  expect(readFileSync(config, 'utf8')).toBe('')
  expect((await plasmid(['list'])).stdout).toBe('')
})
