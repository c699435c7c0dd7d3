import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plasmid } from '../plasmid.ts'
import { cleanEnv, PLASMID } from '../plasmid-process.ts'
import { linesOf, SEEDS, SHOP, textOf } from '../test-server.ts'
import { startShopApi, type ShopApi } from '../shop-api.ts'

let api: ShopApi
let engine: readonly string[]
beforeAll(async () => {
  api = await startShopApi()
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-stdio-'))
  engine = ['--data-dir', dataDir, '--no-shipped', '--catalog', SHOP, '--backend', `shop=${api.url}`]
})
afterAll(() => api.close())

async function connect(mode: 'legacy' | 'auto') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const args = [PLASMID, 'mcp', ...engine]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: cleanEnv() }))
  return client
}

test('a message that is too long ends the process with a code and its reason', async () => {
  const child = spawn(process.execPath, [PLASMID, 'mcp', ...engine], { env: cleanEnv() })
  child.stdin.on('error', () => undefined)
  const [stderr, ended] = [text(child.stderr), once(child, 'exit')]
  child.stdout.resume()
  // The input stays open.
  child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'y'.repeat(11_000_000)}`)
  expect(await ended).toEqual([1, null])
  expect(await stderr).toContain('exceeded maximum size of 10485760 bytes')
}, 60_000)

test('one session lives through processes and eras', async () => {
  const texts: string[] = []
  for (const [mode, revision] of [
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ] as const) {
    const client = await connect(mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'plasm_context',
      'discover_capabilities',
      'plasm',
      'plasm_run',
    ])
    const opened = await client.callTool({
      name: 'plasm_context',
      arguments: { intent: 'stdio', seeds: SEEDS },
    })
    const run = await client.callTool({
      name: 'plasm_run',
      arguments: { logical_session_ref: 's0', program: 'e1("c1")[id, name]' },
    })
    texts.push(textOf(opened), textOf(run))
    await client.close()
  }
  const [opened, run, again, sameRun] = texts
  expect(opened).toMatch(/^`s0`\n\n```tsv\n/)
  expect(again).toMatch(/^`s0`\n\n_Session unchanged/)
  expect(sameRun).toBe(run)
  const shell = await plasmid(['run', '--ref', 's0', 'e1("c1")[id, name]', ...engine])
  expect(shell.stdout).toBe(run)
}, 60_000)

test('ends with its input, having written nothing but the protocol', async () => {
  const child = spawn(process.execPath, [PLASMID, 'mcp', ...engine], { env: cleanEnv() })
  const output = text(child.stdout)
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  await once(child.stdout, 'data')
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(linesOf(await output)).toMatchObject([
    { jsonrpc: '2.0', id: 1, result: { serverInfo: { name: 'plasmid' } } },
  ])
}, 60_000)

test('answers and records an effect whose host ended the input', async () => {
  const client = await connect('auto')
  await client.callTool({ name: 'plasm_context', arguments: { intent: 'effect', seeds: SEEDS } })
  const ref = await newestRef()
  const program = 'e1("c4").delete()'
  const planned = await client.callTool({ name: 'plasm', arguments: { logical_session_ref: ref, program } })
  expect(textOf(planned)).toContain('pc1')
  api.hang = true
  const hanging = api.hanging()
  const run = client.callTool({
    name: 'plasm_run',
    arguments: { logical_session_ref: ref, program, plan: 'pc1' },
  })
  await hanging
  const gone = client.close()
  api.release()
  await gone
  expect(textOf(await run)).toContain('_Changes: 1 done._')
  const again = await plasmid(['run', '--ref', ref, '--plan', 'pc1', program, '--json', ...engine])
  expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, effects: [{ state: 'done' }] })
  expect(api.requests.filter((request) => request.startsWith('DELETE'))).toEqual(['DELETE /v1/customers/c4'])
}, 60_000)

async function newestRef(): Promise<string> {
  const { stdout } = await plasmid(['sessions', ...engine])
  return stdout.split(' ')[0] ?? ''
}

test('stops reading when the host cancels', async () => {
  const client = await connect('auto')
  await client.callTool({ name: 'plasm_context', arguments: { intent: 'cancelled', seeds: SEEDS } })
  const ref = await newestRef()
  api.hang = true
  const hanging = api.hanging()
  const before = api.aborted()
  const cancel = new AbortController()
  const run = client.callTool(
    {
      name: 'plasm_run',
      arguments: { logical_session_ref: ref, program: 'e1[id]' },
    },
    { signal: cancel.signal },
  )
  await hanging
  cancel.abort()
  await expect(run).rejects.toThrow('aborted')
  await expect.poll(() => api.aborted()).toBe(before + 1)
  api.hang = false
  await client.close()
}, 60_000)
