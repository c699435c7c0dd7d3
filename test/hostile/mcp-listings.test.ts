import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanEnv, PLASMID } from '../surfaces/plasmid-process.ts'
import { textOf } from '../surfaces/test-server.ts'
import { hostileServer, readPeak } from './mcp-stage.ts'
import { hostileWebServer, pour, sendJson } from './mcp-web-server.ts'

/* `plasmid mcp` with servers whose lists do harm: it starts in time, says what is wrong with each, and serves the one that is well. */

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'plasmid-listings-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const SECONDS = 20

/**
 * Starts `plasmid mcp` with these servers and one that is well, and uses that: what the process said of the others.
 *
 * @param wait for how many seconds the start waits for their lists
 */
async function start(name: string, servers: Readonly<Record<string, object>>, wait = 20) {
  const config = join(folder, `${name}.yaml`)
  const settings = {
    shipped: false,
    mcp_wait_seconds: wait,
    mcp_servers: { well: hostileServer(), ...servers },
  }
  await writeFile(config, JSON.stringify(settings), { mode: 0o600 })
  const args = [PLASMID, 'mcp', '--config', config, '--data-dir', join(folder, name)]
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: cleanEnv(),
    stderr: 'pipe',
  })
  let notices = ''
  transport.stderr?.on('data', (chunk: Buffer) => (notices += chunk.toString()))
  const client = new Client({ name: 'test', version: '1' })
  const began = performance.now()
  await client.connect(transport)
  // Serving waits so long for servers that were never listed before.
  expect((performance.now() - began) / 1000).toBeLessThan(wait + SECONDS)
  const taught = await client.callTool({
    name: 'plasm_context',
    arguments: { intent: 'be well', seeds: [{ api: 'well', entity: 'Tools' }] },
  })
  expect(textOf(taught)).toContain('e1.read(')
  expect(await readPeak(transport.pid ?? 0)).toBeLessThan(500)
  const closing = performance.now()
  await client.close()
  expect((performance.now() - closing) / 1000).toBeLessThan(SECONDS)
  return Object.keys(servers).map((server) =>
    notices.split('\n').find((line) => line.startsWith(`mcp:${server}:`)),
  )
}

test('servers that are not listed in time are named, and neither the start nor the end waits for them', async () => {
  const silent = { unstarted: 'never starts', hung: 'hangs', endless: 'has no end' }
  const servers = Object.entries(silent).map(([name, listing]) => [name, hostileServer(listing)] as const)
  for (const notice of await start('silent', Object.fromEntries(servers), 6))
    expect(notice).toMatch(/mcp_no_answer.*6000 ms/)
}, 90_000)

test('servers whose lists are wrong are named with the reason', async () => {
  const flood = await hostileWebServer()
  flood.listing = (exchange) => {
    exchange.response.writeHead(200, { 'content-type': 'application/json' })
    return pour(exchange, 'x')
  }
  const down = await hostileWebServer()
  down.listing = (exchange) => sendJson(exchange, { error: 'no' }, 503)
  const notices = await start('wrong', {
    huge: hostileServer('is huge'),
    flood: hostileServer('is a flood'),
    missing: { command: '/no/such/program' },
    web_flood: { url: flood.url },
    web_down: { url: down.url },
  })
  flood.close()
  down.close()
  expect(notices).toEqual([
    expect.stringMatching(/mcp_bad_answer.*lists are longer than/),
    expect.stringMatching(/mcp_ended.*a line of more than/),
    expect.stringMatching(/mcp_not_started.*no program/),
    expect.stringMatching(/mcp_bad_answer.*more than \d+ bytes/),
    expect.stringMatching(/mcp_failed.*503/),
  ])
}, 90_000)
