import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plasmid } from './plasmid.ts'
import { cleanEnv, PLASMID } from './plasmid-process.ts'
import { serveHere } from './server-here.ts'
import type { Server } from './server-process.ts'
import { jsonOf, SHOP, textOf } from './test-server.ts'

/*
 * A workspace that has only the library: a call of the shop that takes place in it does not know the shop. So each test sees
 * where a call took place from what it answers.
 */

const LIBRARY = SHOP.replace(/shop$/, 'library')
const INPUT = { intent: 'a goal', seeds: [{ api: 'shop', entity: 'Customer' }] }
const INSIDE = 'unknown_api'
const OUTSIDE = /^`s0`/
/** Reads as a host would who sets the wrong workspace everywhere but in the announcement. */
const WRONG = ['CLAUDE_PROJECT_DIR', 'PWD', 'WORKSPACE', 'PLASMID_WORKSPACE_ID', 'ORBIT_WORKSPACE']

let base: string
let narrow: string
let engine: readonly string[]
let server: Server
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'plasmid-hosts-')))
  narrow = join(base, 'narrow')
  await mkdir(narrow)
  const config = join(base, 'plasmid.yaml')
  await writeFile(
    config,
    `workspaces: [{root: ${narrow}, id: narrow, catalogs: [library]}]\nworkspace_header: X-Workspace\n`,
    { mode: 0o600 },
  )
  engine = ['--config', config, '--no-shipped', '--catalog', SHOP, '--catalog', LIBRARY]
  server = await serveHere(join(base, 'http'), engine)
})
afterAll(() => server.kill())

let count = 0
/** A data directory of its own, so that every first session is `s0`. */
function dataDir(): string {
  return join(base, `data${++count}`)
}

interface StdioAnswer {
  readonly id: number
  readonly result?: Parameters<typeof textOf>[0]
}

/** Sends frames to a new `plasmid mcp` and gives the text of the answer to the last. */
async function stdio(initialMeta: object | undefined, callMeta: object | undefined, input: object = INPUT) {
  const frames = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
        ...(initialMeta && { _meta: initialMeta }),
      },
    },
    { method: 'notifications/initialized' },
    {
      id: 2,
      method: 'tools/call',
      params: { name: 'plasm_context', arguments: input, ...(callMeta && { _meta: callMeta }) },
    },
  ]
  const lines = frames.map((frame) => `${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`).join('')
  const wrong = { ...Object.fromEntries(WRONG.map((name) => [name, narrow])), PLASMID_LOG_LEVEL: 'silent' }
  const { stdout } = await plasmid(['mcp', '--data-dir', dataDir(), ...engine], lines, wrong, narrow)
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line): StdioAnswer => JSON.parse(line))
  const result = answers.find(({ id }) => id === 2)?.result
  return result ? textOf(result) : ''
}

describe('MCP over stdio', () => {
  test.each([
    ['O1', { orbit: { workspace: 'NARROW' } }],
    ['O2', { 'orbit.workspace': 'NARROW' }],
    ['O13', { plasmid: { workspace: 'NARROW' } }],
  ])('%s: initialize announces the workspace for the whole connection', async (_, meta) => {
    expect(await stdio(JSON.parse(JSON.stringify(meta).replace('NARROW', narrow)), undefined)).toContain(
      INSIDE,
    )
  })

  test.each([
    undefined,
    {},
    { orbit: { workspace: '' } },
    { orbit: { workspace: 7 } },
    { 'orbit.workspace': 'here' },
  ])(
    'O3, O6, O12, O14: with %j there is no workspace, whatever directory and environment say',
    async (meta) => {
      expect(await stdio(meta, undefined)).toMatch(OUTSIDE)
    },
  )

  test.each([
    ['out of', 'NARROW', '/elsewhere', OUTSIDE],
    ['into', '/elsewhere', 'NARROW', new RegExp(INSIDE)],
  ])('a request announces over initialize: %s the workspace', async (_, connection, request, told) => {
    const meta = (path: string) => ({ plasmid: { workspace: path.replace('NARROW', narrow) } })
    expect(await stdio(meta(connection), meta(request))).toMatch(told)
  })

  test('O7: an explicit workspace wins, and its own limits hold as well', async () => {
    const elsewhere = { orbit: { workspace: '/elsewhere' } }
    expect(await stdio(elsewhere, undefined, { ...INPUT, workspace: narrow })).toContain(INSIDE)
  })

  test('O7: an empty explicit workspace counts as absent', async () => {
    expect(await stdio(undefined, undefined, { ...INPUT, workspace: ' ' })).toMatch(OUTSIDE)
  })

  test('O13: a client of 2026 announces with each request', async () => {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const args = [PLASMID, 'mcp', '--data-dir', dataDir(), ...engine]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: cleanEnv() }))
    const call = (meta: Record<string, unknown>) =>
      client.callTool({ name: 'plasm_context', arguments: INPUT, _meta: meta }).then(textOf)
    expect(await call({ 'orbit.workspace': narrow })).toContain(INSIDE)
    expect(await call({})).toMatch(OUTSIDE)
    await client.close()
  })
})

describe.each(['legacy', 'auto'] as const)('MCP over HTTP, %s', (mode) => {
  async function connect(headers: Record<string, string> = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const requestInit = { headers: { authorization: `Bearer ${server.token}`, ...headers } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
    return client
  }
  const contextOf = (client: Client, meta?: Record<string, unknown>) =>
    client.callTool({ name: 'plasm_context', arguments: INPUT, ...(meta && { _meta: meta }) }).then(textOf)

  test('O13: a request announces the workspace of this request alone', async () => {
    const client = await connect()
    expect(await contextOf(client, { plasmid: { workspace: narrow } })).toContain(INSIDE)
    expect(await contextOf(client)).toMatch(OUTSIDE)
    const run = await client.callTool({
      name: 'plasm_run',
      arguments: { logical_session_ref: 's0', program: 'Customer("c1")' },
      _meta: { orbit: { workspace: narrow } },
    })
    expect(textOf(run)).toContain('unknown_entity')
    await client.close()
  })

  test('O4, O11: two connections in one process keep their workspaces apart', async () => {
    const [inside, outside] = await Promise.all([connect({ 'x-workspace': narrow }), connect()])
    for (let round = 0; round < 5; round++) {
      const [one, other] = await Promise.all([contextOf(inside), contextOf(outside)])
      expect(one).toContain(INSIDE)
      expect(other).toMatch(OUTSIDE)
    }
    await Promise.all([inside.close(), outside.close()])
  })
})

test('legacy MCP over HTTP keeps nothing from initialize', async () => {
  const headers = { accept: 'application/json, text/event-stream' }
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
    _meta: { orbit: { workspace: narrow } },
  }
  await server.send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params }, headers)
  const call = { name: 'plasm_context', arguments: INPUT }
  const answer = await server.send(
    'POST',
    '/mcp',
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
    headers,
  )
  expect(await answer.text()).toContain('`s0`')
})

test('O13: the HTTP API takes the workspace in the body and in the configured header', async () => {
  const post = async (body: object, headers: Record<string, string> = {}) =>
    (await server.send('POST', '/v1/contexts', body, headers)).text()
  expect(await post(INPUT)).toContain('`s0`')
  expect(await post({ ...INPUT, workspace: narrow })).toContain(INSIDE)
  expect(await post(INPUT, { 'x-workspace': narrow })).toContain(INSIDE)
  expect(await post(INPUT, { 'x-plasmid-workspace': narrow })).toContain('`s0`')

  const registry = await server.send('GET', '/v1/registry', undefined, { 'x-workspace': narrow })
  const { entries } = await jsonOf<{ readonly entries: readonly { readonly entry_id: string }[] }>(registry)
  expect(entries.map(({ entry_id }) => entry_id)).toEqual(['library'])
  const discover = { intent: 'customers and their orders' }
  const found = await server.send('POST', '/v1/discover', { ...discover, workspace: narrow })
  expect(await found.text()).not.toContain('"shop"')
  for (const action of ['plan', 'run']) {
    const program = { program: 'Customer("c1")', workspace: narrow }
    const refused = await server.send('POST', `/v1/contexts/s0/${action}`, program)
    expect(await refused.text()).toContain('unknown_entity')
  }
  const relative = await server.send('POST', '/v1/contexts', { ...INPUT, workspace: 'here' })
  expect([relative.status, await relative.text()]).toEqual([400, expect.stringContaining('bad_workspace')])
})

test('O13: the command line takes the workspace as a flag', async () => {
  const flags = [...engine, '--data-dir', dataDir()]
  const context = ['context', '--intent', 'a goal', '--seed', 'shop:Customer']
  expect((await plasmid([...context, '--workspace', narrow, ...flags])).stderr).toContain(INSIDE)
  const env = Object.fromEntries(WRONG.map((name) => [name, narrow]))
  expect((await plasmid([...context, ...flags], '', env)).stdout).toMatch(OUTSIDE)
  const program = ['Customer("c1")', '--ref', 's0', '--workspace', narrow]
  expect((await plasmid(['plan', ...program, ...flags])).stderr).toContain('unknown_entity')
  const found = await plasmid(['discover', 'customers', '--workspace', narrow, ...flags])
  expect(found.stdout).not.toContain('shop')
})
