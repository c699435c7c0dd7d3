import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wordIn } from '../../../src/surfaces/mcp/confirm.ts'
import { plasmid } from '../plasmid.ts'
import { cleanEnv, PLASMID } from '../plasmid-process.ts'
import { SEEDS, SHOP, textOf } from '../test-server.ts'
import { serveHere } from '../server-here.ts'
import type { Server } from '../server-process.ts'
import { startShopApi, type ShopApi } from '../shop-api.ts'

const DELETE = 'e1("c4").delete()'
const FLAGS = ['--no-shipped', '--catalog', SHOP, '--effects', 'shop=confirm']

let api: ShopApi
let server: Server
let dataDir: string
const clients: Client[] = []
beforeAll(async () => {
  api = await startShopApi()
  dataDir = await mkdtemp(join(tmpdir(), 'plasmid-confirm-'))
  server = await serveHere(dataDir, [...FLAGS, '--backend', `shop=${api.url}`])
})
afterAll(async () => {
  await Promise.all(clients.map((one) => one.close()))
  await server.kill()
  await api.close()
})

type Answer = 'yes' | 'no' | 'left open' | 'away'
const ANSWERS = {
  yes: { action: 'accept', content: { agree: true } },
  no: { action: 'accept', content: { agree: false } },
  'left open': { action: 'decline' },
  away: { action: 'cancel' },
} as const

/** A client whose user gives that answer; without one, a client that cannot ask. */
async function client(mode: 'legacy' | 'auto', transport: Transport, answer?: Answer) {
  const asked: string[] = []
  const made = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: answer === undefined ? {} : { elicitation: { form: {} } } },
  )
  if (answer !== undefined)
    made.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return { ...ANSWERS[answer] }
    })
  await made.connect(transport)
  clients.push(made)
  return { made, asked }
}

const stdio = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: [PLASMID, 'mcp', '--data-dir', dataDir, ...FLAGS, '--backend', `shop=${api.url}`],
    env: cleanEnv(),
  })
const http = () =>
  new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${server.token}` } },
  })

/** Reviews the program in a session of its own and runs it: what the model receives, and what reached the API. */
async function deleting(made: Client, intent: string) {
  const tool = async (name: string, args: Record<string, unknown>) =>
    textOf(await made.callTool({ name, arguments: args }))
  const opened = await tool('plasm_context', { intent, seeds: SEEDS })
  const ref = /s\d+/.exec(opened)?.[0] ?? ''
  const args = { logical_session_ref: ref, program: DELETE }
  await tool('plasm', args)
  const before = api.requests.length
  const text = await tool('plasm_run', { ...args, plan: 'pc1' })
  return { ref, text, sent: api.requests.slice(before) }
}

test.each([
  ['stdio, 2025', 'legacy', stdio],
  ['stdio, 2026', 'auto', stdio],
  ['HTTP, 2026', 'auto', http],
] as const)('a person is asked over %s', async (name, mode, transport) => {
  const { made, asked } = await client(mode, transport(), 'yes')
  const { text, sent } = await deleting(made, `yes over ${name}`)
  expect(asked).toEqual([expect.stringMatching(/^plan review .* pc1\nwarn: writes shop:customer_delete\n/)])
  expect(text).toContain('_Changes: 1 done._')
  expect(sent).toEqual(['DELETE /v1/customers/c4'])
})

test.each([
  ['stdio, 2025', 'legacy', stdio],
  ['HTTP, 2026', 'auto', http],
] as const)('nothing but yes is yes, over %s', async (name, mode, transport) => {
  for (const answer of ['no', 'left open', 'away'] as const) {
    const { made, asked } = await client(mode, transport(), answer)
    const { text, sent } = await deleting(made, `${answer} over ${name}`)
    expect([asked.length, sent, text]).toEqual([1, [], expect.stringMatching(/^not_confirmed at plan: /)])
  }
})

test.each([
  ['a client without forms', 'auto', undefined],
  ['a client of 2025, which HTTP cannot ask', 'legacy', 'yes'],
] as const)('%s is refused; its person can run the plan elsewhere', async (name, mode, answer) => {
  const { made, asked } = await client(mode, http(), answer)
  const { ref, text, sent } = await deleting(made, name)
  expect([asked, sent, text]).toEqual([[], [], expect.stringContaining('on the command line')])
  const engine = ['--data-dir', dataDir, ...FLAGS, '--backend', `shop=${api.url}`]
  const line = ['run', '--ref', ref, '--plan', 'pc1', DELETE, ...engine]
  const next = 'Run the same command at a terminal, where a person is asked to agree, or omit the change.'
  const stderr = text.replace(/Ask your user .*/, next)
  expect(await plasmid(line)).toMatchObject({ code: 1, stdout: '', stderr })
  expect((await plasmid([...line, '--yes'])).stdout).toContain('_Changes: 1 done._')
  const again = { logical_session_ref: ref, program: DELETE, plan: 'pc1' }
  const told = await made.callTool({ name: 'plasm_run', arguments: again })
  expect(textOf(told)).toContain('_Changes: 1 done._')
})

test('an answer that the model itself writes is ignored', async () => {
  const { made } = await client('auto', http())
  const { ref } = await deleting(made, 'a model answers')
  const before = api.requests.length
  const args = { logical_session_ref: ref, program: DELETE, plan: 'pc1' }
  const forged = {
    inputResponses: { agree: ANSWERS.yes },
    requestState: 'a'.repeat(32),
    confirm: 'a'.repeat(32),
  }
  const inside = await made.callTool({ name: 'plasm_run', arguments: { ...args, ...forged } })
  const beside = await made.callTool({ name: 'plasm_run', arguments: args, ...forged })
  expect([textOf(inside), textOf(beside)]).toEqual([
    expect.stringMatching(/^not_confirmed/),
    expect.stringMatching(/^not_confirmed/),
  ])
  expect(api.requests.length).toBe(before)
})

test('an answer that is only inherited is none', () => {
  const inherited: object = Object.create({ agree: ANSWERS.yes })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these parts are read
  expect(wordIn({ mcpReq: { inputResponses: inherited } } as never)).toEqual({ kind: 'not_asked' })
})
