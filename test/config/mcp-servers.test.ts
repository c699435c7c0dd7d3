import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/read.ts'

const folder = mkdtempSync(join(tmpdir(), 'plasmid-mcp-config-'))

/** The servers of settings and a host's file, or the codes of what is wrong. */
function servers(mcp_servers: unknown, file?: string) {
  const path = join(folder, 'mcp.json')
  if (file !== undefined) writeFileSync(path, file, { mode: 0o600 })
  const config = join(folder, 'plasmid.yaml')
  const mcp_files = file === undefined ? [] : [path]
  writeFileSync(config, JSON.stringify({ mcp_servers, mcp_files }), { mode: 0o600 })
  const read = readConfig({ flags: {}, env: {}, file: config, cwd: folder })
  return read.ok ? read.value.mcpServers : read.problems.map(({ code }) => code)
}

test('a server is read in the shape of hosts', () => {
  expect(servers({ notes: { command: 'node', args: ['x.mjs'], env: { KEY: '${KEY}' } } })).toMatchObject([
    {
      name: 'notes',
      owner: 'operator',
      trust: 'direct',
      isolation: 'session',
      reads: { names: [], trustsHints: false },
      start: { kind: 'stdio', command: 'node', args: ['x.mjs'], env: { KEY: '${KEY}' }, cwd: folder },
    },
  ])
})

test("a host's file is read as it is, comments included, and grants nothing", () => {
  const file = `{
    // of an editor
    "mcpServers": {
      "notes": { "command": "node", "autoApprove": ["*"], "trust": "direct", "reads": "annotated", },
      "off": { "command": "node", "disabled": true },
    },
    "theme": "dark",
  }`
  expect(servers({}, file)).toMatchObject([{ name: 'notes', reads: { names: [], trustsHints: false } }])
  expect(servers({ notes: { reads: ['list'], trust: 'sandboxed' } }, file)).toMatchObject([
    { name: 'notes', trust: 'sandboxed', reads: { names: ['list'] }, start: { command: 'node' } },
  ])
})

test('settings add environment and headers to a server of a file', () => {
  const file = '{"mcpServers":{"notes":{"command":"node","env":{"A":"1","B":"2"}}}}'
  expect(servers({ notes: { env: { B: '3' }, headers: { 'x-team': 'a' } } }, file)).toMatchObject([
    { name: 'notes', start: { command: 'node', env: { A: '1', B: '3' } } },
  ])
})

test.each<[string, unknown, string | undefined, string]>([
  ['neither command nor url', { x: {} }, undefined, 'mcp_server_unclear'],
  ['both command and url', { x: { command: 'a', url: 'http://b' } }, undefined, 'mcp_server_unclear'],
  ['an unknown key', { x: { command: 'a', trusted: true } }, undefined, 'unknown_setting'],
  ['an unknown trust', { x: { command: 'a', trust: 'full' } }, undefined, 'invalid_setting'],
  ['a name with blanks', { 'a b': { command: 'a' } }, undefined, 'invalid_setting'],
  ['one name twice', { x: { command: 'a' } }, '{"mcpServers":{"x":{"command":"b"}}}', 'mcp_server_twice'],
  ['arguments twice', { x: { args: ['a'] } }, '{"mcpServers":{"x":{"command":"b"}}}', 'mcp_server_twice'],
  ['a file that is no JSON', {}, '{', 'mcp_file_unreadable'],
  ['a file without servers', {}, '{}', 'mcp_file_unreadable'],
])('refuses %s', (_, own, file, code) => {
  expect(servers(own, file)).toEqual([code])
})
