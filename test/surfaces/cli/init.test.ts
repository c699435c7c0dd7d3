import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { plasmid } from '../plasmid.ts'
import { plasmidProcess } from '../plasmid-process.ts'
import { SHOP } from '../test-server.ts'

let dir = ''
let flags: readonly string[] = []
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plasmid-init-'))
  flags = ['--data-dir', join(dir, 'data'), '--no-shipped', '--catalog', SHOP]
})
afterEach(() => rm(dir, { recursive: true }))

const init = (host: string, ...more: readonly string[]) =>
  plasmid(['init', host, ...more, ...flags], '', { HOME: dir, XDG_CONFIG_HOME: '' })

const START = { command: process.execPath, args: expect.arrayContaining(['--catalog', SHOP]) }

/** Each host by its protocols: the file of its user or project, and the path of its entry. */
const FORMS = [
  ['claude-code', 'mcp', 'mcpServers.plasmid', { type: 'stdio' }],
  ['cursor', 'mcp', 'mcpServers.plasmid', {}],
  ['vscode', 'mcp', 'servers.plasmid', { type: 'stdio' }],
  ['zed', 'acp', 'agent_servers.plasmid', { type: 'custom', env: {} }],
  ['zed', 'mcp', 'context_servers.plasmid', { env: {} }],
  ['gemini-cli', 'mcp', 'mcpServers.plasmid', {}],
  ['jetbrains', 'acp', 'agent_servers.Plasmid', { env: {} }],
  ['codex', 'mcp', 'mcp_servers.plasmid', {}],
] as const

test.each(FORMS)('%s is configured by %s, under %s', async (host, protocol, path, more) => {
  const file = join(dir, 'host.conf')
  const shown = await init(host, '--protocol', protocol, '--file', file)
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(file)])
  expect(await readdir(dir)).toEqual([])
  const { code, stdout } = await init(host, '--protocol', protocol, '--file', file, '--write', '--json')
  const written = await readFile(file, 'utf8')
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { host, protocol, file, state: 'written', text: written },
  ])
  expect(shown.stdout).toContain(written)
  const parsed: unknown = host === 'codex' ? parseToml(written) : JSON.parse(written)
  const expected = path
    .split('.')
    .reduceRight<unknown>((value, key) => ({ [key]: value }), { ...START, ...more })
  expect(parsed).toEqual(expected)
  expect(JSON.stringify(parsed)).toContain(`"${protocol}"`)
  const again = await init(host, '--protocol', protocol, '--file', file, '--write')
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('has this entry already')])
  expect(await readFile(file, 'utf8')).toBe(written)
})

test('paths are absolute: the host starts the server elsewhere', async () => {
  const file = join(dir, 'servers.json')
  await writeFile(file, '{"mcpServers":{}}')
  const { stdout } = await init('cursor', '--mcp-file', relative('.', file), '--json')
  const { text } = JSON.parse(stdout)
  const { args } = JSON.parse(text).mcpServers.plasmid
  expect(args[args.indexOf('--mcp-file') + 1]).toBe(file)
})

test('every host has a file of its own in the project or of the user', async () => {
  const files = await Promise.all(
    ['claude-code', 'cursor', 'vscode', 'zed', 'codex', 'gemini-cli', 'jetbrains'].map(async (host) => {
      const { file }: { readonly file: string } = JSON.parse((await init(host, '--json')).stdout)
      return file.replace(process.cwd(), '.').replace(dir, '~')
    }),
  )
  expect(files).toEqual([
    './.mcp.json',
    './.cursor/mcp.json',
    './.vscode/mcp.json',
    '~/.config/zed/settings.json',
    '~/.codex/config.toml',
    './.gemini/settings.json',
    '~/.jetbrains/acp.json',
  ])
})

test('what a JSON file holds stays, with its comments and its indentation', async () => {
  const file = join(dir, 'settings.json')
  const before = `// my settings
{
    "theme": "One Dark", // keep
    /* servers */
    "agent_servers": {
        "other": { "command": "x" },
    },
}
`
  await writeFile(file, before)
  await chmod(file, 0o600)
  const { code, stdout } = await init('zed', '--file', file, '--write')
  const after = await readFile(file, 'utf8')
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${file}.backup`)])
  expect(after).toContain('// my settings\n{\n    "theme": "One Dark", // keep\n    /* servers */')
  expect(after.replaceAll(/\s+/g, '')).toContain('"other":{"command":"x"},"plasmid":{')
  expect(after).toContain('\n        "plasmid": {\n            "type": "custom"')
  expect(await readFile(`${file}.backup`, 'utf8')).toBe(before)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('what a TOML file holds stays byte for byte', async () => {
  const file = join(dir, 'config.toml')
  const before = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y" # keep\n'
  await writeFile(file, before)
  expect((await init('codex', '--file', file, '--write')).code).toBe(0)
  const after = await readFile(file, 'utf8')
  expect(after.startsWith(before)).toBe(true)
  expect(parseToml(after)).toMatchObject({
    model: 'x',
    mcp_servers: { other: { command: 'y' }, plasmid: {} },
  })
})

test.each([
  ['claude-code', '{"mcpServers": {"a": '],
  ['claude-code', '[1, 2]'],
  ['claude-code', '{"mcpServers": []}'],
  ['claude-code', 'no json'],
  ['codex', 'a = = b'],
  ['codex', 'mcp_servers = "x"'],
  ['codex', 'mcp_servers = { other = { command = "x" } }'],
])('a file of %s that cannot be extended is left alone: %s', async (host, before) => {
  const file = join(dir, 'host.conf')
  await writeFile(file, before)
  const { code, stderr } = await init(host, '--file', file, '--write')
  expect([code, stderr]).toEqual([1, expect.stringContaining('host_file_unreadable: ')])
  expect(await readFile(file, 'utf8')).toBe(before)
  expect(await readdir(dir)).toEqual(['host.conf'])
})

test('another entry is replaced only on demand, and every copy is kept', async () => {
  const file = join(dir, 'mcp.json')
  const before = '{"mcpServers": {"plasmid": {"command": "old"}, "b": {}}}'
  await writeFile(file, before)
  const refused = await init('cursor', '--file', file, '--write')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('host_entry_differs: ')])
  expect(await readFile(file, 'utf8')).toBe(before)
  await writeFile(`${file}.backup`, 'an older copy')
  expect((await init('cursor', '--file', file, '--write', '--replace')).code).toBe(0)
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { plasmid: START, b: {} } })
  expect(await readFile(`${file}.backup`, 'utf8')).toBe('an older copy')
  expect(await readFile(`${file}.backup-2`, 'utf8')).toBe(before)
})

test('a link stays a link, and a folder is made', async () => {
  const real = join(dir, 'dotfiles', 'acp.json')
  await mkdir(dirname(real))
  await writeFile(real, '{}')
  const link = join(dir, 'acp.json')
  await symlink(real, link)
  expect((await init('jetbrains', '--file', link, '--write')).code).toBe(0)
  expect(JSON.parse(await readFile(real, 'utf8'))).toHaveProperty('agent_servers.Plasmid')
  const deep = join(dir, 'a', 'b', 'mcp.json')
  expect((await init('vscode', '--file', deep, '--write')).code).toBe(0)
  expect(JSON.parse(await readFile(deep, 'utf8'))).toHaveProperty('servers.plasmid')
})

test('what a killed command left does not stand in the way, and the mode stays', async () => {
  const file = join(dir, 'left.json')
  await writeFile(file, '{}')
  await chmod(file, 0o664)
  for (const end of ['plasmid-new', '0123456789ab.draft']) await writeFile(`${file}.${end}`, '{"half')
  const { code, stderr } = await init('cursor', '--file', file, '--write')
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('mcpServers.plasmid')
  expect((await stat(file)).mode & 0o777).toBe(0o664)
})

test('unknown hosts, protocols and unusable files are refused', async () => {
  expect((await init('emacs')).stderr).toContain('unknown_host: There is no host `emacs`. Use `claude-code`')
  expect((await init('cursor', '--protocol', 'acp')).stderr).toContain('host_protocol: ')
  expect((await init('cursor', '--file', dir, '--write')).stderr).toContain('host_file_failed: ')
  expect((await init('cursor', '--store', 'paper')).stderr).toContain('bad_value: `--store` ')
})

test('what is written starts a server, and doctor sees it', async () => {
  const file = join(dir, '.jetbrains', 'acp.json')
  const written = await plasmidProcess(['init', 'jetbrains', '--write', '--json', ...flags], '', {
    HOME: dir,
  })
  expect(JSON.parse(written.stdout)).toMatchObject({ state: 'written', file })
  const { agent_servers: servers }: { agent_servers: { Plasmid: { args: string[] } } } = JSON.parse(
    await readFile(file, 'utf8'),
  )
  const [, ...args] = servers.Plasmid.args
  const greeting = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } }
  const answer = await plasmidProcess(args, `${JSON.stringify(greeting)}\n`, { HOME: dir })
  expect(JSON.parse(answer.stdout)).toMatchObject({ id: 1, result: { agentInfo: { name: 'plasmid' } } })
  const doctor = () => plasmidProcess(['doctor', ...flags, '--port', '0'], '', { HOME: dir })
  const well = await doctor()
  expect(well.stdout).toContain(`ok    host jetbrains: ${file} starts ${process.execPath}`)
  expect(well.stdout).toMatch(/ok {4}protocols: MCP and ACP answer, in \d+ ms/)
  await writeFile(file, (await readFile(file, 'utf8')).replace('main.js', 'gone.js'))
  expect((await doctor()).stdout).toContain(`warn  host jetbrains: ${file} starts Plasmid from`)
}, 60_000)
