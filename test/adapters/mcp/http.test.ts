import { ok } from '../../../src/base/diagnostic.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { McpServer } from '../../../src/access/mcp-server.ts'
import { contextOf, runtimeWith, serverOf } from './runtimes.ts'

/* MCP servers over HTTP, in both eras of the protocol. */

const NOTES = fileURLToPath(new URL('../../fixtures/mcp/notes-server.mjs', import.meta.url))

let started: Awaited<ReturnType<typeof runtimeWith>>
let child: ChildProcess | undefined
beforeEach(async () => void (started = await runtimeWith()))
afterEach(async () => {
  await started.runtime.shutDown()
  child?.kill('SIGKILL')
})

async function served(mode: 'http' | 'http-modern'): Promise<McpServer> {
  const file = join(started.folder, 'notes.json')
  const server = spawn(process.execPath, [NOTES, file, mode], { stdio: ['ignore', 'pipe', 'inherit'] })
  child = server
  const [url] = await once(createInterface({ input: server.stdout }), 'line')
  const headers = { authorization: 'Bearer ${TOKEN_OF_NOTES:-none given}' }
  return serverOf({ name: 'notes', start: { kind: 'http', url: String(url), headers } })
}

test.each(['http', 'http-modern'] as const)(
  'tools are listed and called: %s',
  async (mode) => {
    const { runtime, folder } = started
    const server = await served(mode)
    await runtime.catalogs.open([server], 0)
    const [reading] = runtime.catalogs.readings
    expect(reading).toMatchObject({ id: 'notes', errors: [] })
    expect(reading?.catalog?.capabilities.map(({ name }) => name)).toContain('list_notes')
    expect(runtime.pool.eraOf('notes')).toBe(mode === 'http' ? 'legacy' : 'modern')
    const catalog = reading?.catalog
    if (!catalog) throw new Error('no catalog')
    const signal = new AbortController().signal
    const given = { title: 'Milk', kind: 'memo' }
    const sent = await runtime.servers.of(contextOf()).send(
      {
        catalog,
        admit: async () => ok(undefined),
        capability: 'add_note',
        request: { type: 'tool', name: 'add_note', arguments: given },
        repeatable: false,
      },
      { signal, timeoutMs: 20_000, maxBytes: 100_000 },
    )
    expect(sent).toMatchObject({ ok: true, reply: { answer: { data: { id: 'n1', title: 'Milk' } } } })
    const headers = readFileSync(join(folder, 'notes.json.headers'), 'utf8').trim().split('\n')
    for (const line of headers) expect(JSON.parse(line)).toMatchObject({ authorization: 'Bearer none given' })
  },
  60_000,
)

test('a server that is gone is a clear failure, and nothing was done', async () => {
  const { runtime } = started
  const server = await served('http')
  await runtime.catalogs.open([server], 0)
  const catalog = runtime.catalogs.readings[0]?.catalog
  child?.kill('SIGKILL')
  if (child) await once(child, 'exit')
  if (!catalog) throw new Error('no catalog')
  const sent = await runtime.servers.of(contextOf()).send(
    {
      catalog,
      admit: async () => ok(undefined),
      capability: 'x',
      request: { type: 'tool', name: 'x', arguments: {} },
      repeatable: false,
    },
    { signal: new AbortController().signal, timeoutMs: 20_000, maxBytes: 100_000 },
  )
  expect(sent).toMatchObject({
    ok: false,
    failure: { problem: { code: 'mcp_not_started' }, acted: 'not_sent' },
  })
}, 60_000)
