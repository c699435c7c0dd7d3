import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanEnv, PLASMID } from '../surfaces/plasmid-process.ts'
import { textOf } from '../surfaces/test-server.ts'
import { hostileServer, readPeak } from './mcp-stage.ts'
import { type HostileWebServer, hostileWebServer, pour, sendJson } from './mcp-web-server.ts'

/* `plasmid mcp` with servers whose lists do harm: it starts in time, says what is wrong with each, and serves the one that is well. */

let folder: string
let webs: readonly HostileWebServer[]
let settings: object
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-listings-'))
  webs = await Promise.all([hostileWebServer(), hostileWebServer(), hostileWebServer()])
  const [flood, page, paged] = webs
  if (!flood || !page || !paged) throw new Error('no servers')
  flood.listing = (exchange) => {
    exchange.response.writeHead(200, { 'content-type': 'application/json' })
    return pour(exchange, 'x')
  }
  page.listing = (exchange) => sendJson(exchange, { error: 'no' }, 503)
  paged.listing = (exchange) =>
    sendJson(exchange, {
      jsonrpc: '2.0',
      id: exchange.message.id,
      result: { tools: [{ name: 'a' }], nextCursor: 'b' },
    })
  const mcp_servers = {
    well: hostileServer(),
    unstarted: hostileServer('never starts'),
    hung: hostileServer('hangs'),
    endless: hostileServer('has no end'),
    huge: hostileServer('is huge'),
    flood: hostileServer('is a flood'),
    missing: { command: '/no/such/program' },
    web_flood: { url: flood.url },
    web_down: { url: page.url },
    web_paged: { url: paged.url },
  }
  settings = { shipped: false, mcp_servers }
}, 60_000)
afterAll(async () => {
  for (const web of webs) web.close()
  await rm(folder, { recursive: true, force: true })
})

const SECONDS = 15

test('a process with servers that cannot be listed starts in time and ends at once', async () => {
  const config = join(folder, 'plasmid.yaml')
  await writeFile(config, JSON.stringify(settings), { mode: 0o600 })
  const args = [PLASMID, 'mcp', '--config', config, '--data-dir', join(folder, 'data')]
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
  // Serving waits ten seconds for servers that were never listed before.
  expect((performance.now() - began) / 1000).toBeLessThan(10 + SECONDS)
  for (const [server, what] of [
    ['unstarted', /mcp_no_answer/],
    ['hung', /mcp_no_answer/],
    ['endless', /mcp_no_answer/],
    ['huge', /mcp_bad_answer.*lists are longer than/],
    ['flood', /mcp_ended.*a line of more than/],
    ['missing', /mcp_not_started.*no program/],
    ['web_flood', /mcp_bad_answer.*more than \d+ bytes/],
    ['web_down', /mcp_failed.*503/],
  ] as const) {
    const [line = ''] = notices.split('\n').filter((one) => one.startsWith(`mcp:${server}:`))
    expect([server, line]).toEqual([server, expect.stringMatching(what)])
  }
  const answer = await client.callTool({
    name: 'plasm_context',
    arguments: {
      intent: 'be well',
      seeds: [{ api: 'well', entity: 'Tools' }],
    },
  })
  expect(textOf(answer)).toContain('e1.read(')
  expect(await readPeak(transport.pid ?? 0)).toBeLessThan(500)
  const closing = performance.now()
  await client.close()
  expect((performance.now() - closing) / 1000).toBeLessThan(SECONDS)
}, 90_000)
