import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanEnv, PLASMID, plasmidProcess } from '../plasmid-process.ts'
import { serveHere } from '../server-here.ts'
import type { Server } from '../server-process.ts'
import { jsonOf, textOf } from '../test-server.ts'
import { AcpBench, type AcpAgent } from './driver.ts'

/*
 * One session in an editor (ACP), in an MCP client, over HTTP and at a command line, in several processes: the same
 * symbols everywhere, and each row taught once.
 */

const GOAL = 'Which customers ordered last week?'

let bench: AcpBench
let editor: AcpAgent
let session: string
let host: Client
let server: Server
beforeAll(async () => {
  bench = await AcpBench.open()
  editor = await bench.startProcess()
  session = await editor.open(bench.cwd, { _meta: { plasmid: { intent: GOAL } } })
  host = new Client({ name: 'test', version: '1' })
  const args = [PLASMID, 'mcp', ...bench.flags]
  await host.connect(new StdioClientTransport({ command: process.execPath, args, env: cleanEnv() }))
  const [, data = '', ...flags] = bench.flags
  server = await serveHere(data, flags)
}, 60_000)
afterAll(async () => {
  bench.check()
  await host.close()
  await server.kill()
  await bench.close()
})

async function tool(name: string, input: Record<string, unknown>): Promise<string> {
  return textOf(await host.callTool({ name, arguments: input }))
}

/** The rows of a table. */
const rowsIn = (text: string) => text.split('\n').filter((line) => /^e\d.*\t/.test(line))

let table: readonly string[] = []
let handle = ''
const ORDERS = 'e2{customer=e1("c1")}[id]'

test('an editor opens the session and is taught', async () => {
  const taught = await editor.ask(session, '/context shop:Customer')
  expect(taught).toMatch(/^`s0`/)
  table = rowsIn(taught)
  expect(table.length).toBeGreaterThan(2)
  expect(await editor.ask(session, 'e1("c1")[name]')).toContain('Customer 1')
  handle = /s0_pg\d+/.exec(await editor.ask(session, 'e1[id]'))?.[0] ?? ''
}, 60_000)

test('an MCP client continues it by its goal and by its ref, and is taught nothing again', async () => {
  const again = await tool('plasm_context', { intent: GOAL, seeds: [{ api: 'shop', entity: 'Customer' }] })
  expect(again).toMatch(/^`s0`/)
  expect(again).toContain('Session unchanged')
  expect(rowsIn(again)).toEqual([])
  const ref = 's0'
  expect(await tool('plasm_run', { logical_session_ref: ref, program: 'e1("c2")[name]' })).toContain(
    'Customer 2',
  )
  expect(await tool('plasm_run', { logical_session_ref: ref, program: `page(${handle})` })).toContain('c4')
  const seeds = [{ api: 'shop', entity: 'Order' }]
  const more = await tool('plasm_context', { logical_session_ref: ref, seeds })
  expect(rowsIn(more).some((row) => row.startsWith('e2'))).toBe(true)
  expect(rowsIn(more).filter((row) => table.includes(row))).toEqual([])
}, 60_000)

test('the editor uses what the MCP client added', async () => {
  expect(await editor.ask(session, `/plan ${ORDERS}`)).toContain('plan ok')
  expect(await editor.ask(session, '/context shop:Order')).toContain('Session unchanged')
}, 60_000)

test('HTTP and the command line continue it by its ref', async () => {
  const program = 'e1("c3")[name]'
  const ran = await server.send('POST', '/v1/contexts/s0/run', { program })
  expect((await jsonOf<{ readonly text: string }>(ran)).text).toContain('Customer 3')
  const typed = await plasmidProcess(['plan', '--ref', 's0', ORDERS, ...bench.flags])
  expect([typed.code, typed.stdout]).toEqual([0, expect.stringContaining('plan ok')])
}, 60_000)

test('after a load in another process of the editor its symbols are the same', async () => {
  const next = await bench.start()
  const loaded = await next.request('session/load', { sessionId: session, cwd: bench.cwd, mcpServers: [] })
  expect(loaded.error).toBeUndefined()
  expect(await next.ask(session, 'e1("c1")[name]')).toContain('Customer 1')
  expect(await next.ask(session, '/context shop:Customer shop:Order')).toContain('Session unchanged')
}, 60_000)
