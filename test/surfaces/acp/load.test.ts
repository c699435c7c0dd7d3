import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mkdir, realpath, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openDriver } from '../../../src/adapters/stores/sqlite/driver.ts'
import { cleanEnv, PLASMID } from '../plasmid-process.ts'
import { SEEDS, textOf } from '../test-server.ts'
import { AcpBench, type AcpAgent, type Update } from './driver.ts'

let bench: AcpBench
let agent: AcpAgent
let other: AcpAgent
beforeAll(async () => {
  bench = await AcpBench.open()
  agent = await bench.start()
  other = await bench.start()
})
afterEach(() => bench.check())
afterAll(() => bench.close())

const isCommands = ({ sessionUpdate }: Update) => sessionUpdate === 'available_commands_update'

/** Loads a session; gives what was sent before the answer, without the commands. */
async function load(by: AcpAgent, sessionId: string, more: object = {}): Promise<readonly Update[]> {
  const from = by.frames.length
  const answer = await by.request('session/load', { sessionId, cwd: bench.cwd, mcpServers: [], ...more })
  expect(answer.error).toBeUndefined()
  // Another session of the process may announce its commands in between.
  const own = by.frames.filter(
    ({ params }) => params?.['sessionId'] === undefined || params['sessionId'] === sessionId,
  )
  expect(own.at(-1)).toBe(answer)
  return by.updates(sessionId, from).filter((update) => !isCommands(update))
}

/** A session of some prompts: its id, and what its client saw and sent. */
async function conversation(by: AcpAgent) {
  const id = await by.open(bench.cwd)
  const from = by.frames.length
  await by.ask(id, '/context shop:Customer')
  await by.ask(id, 'e1("c1")[id, name]')
  await by.ask(id, 'e1("c6").delete()')
  const prompts = ['/context shop:Customer', 'e1("c1")[id, name]', 'e1("c6").delete()']
  return { id, prompts, live: by.updates(id, from).filter((update) => !isCommands(update)) }
}

/** Every row of a table, to see whether anything was written. */
async function rowsOf(table: string): Promise<unknown> {
  const db = await openDriver(join(bench.dir, 'data', 'plasmid.db'))
  const rows = db.prepare<object>(`SELECT * FROM ${table}`).all()
  db.close()
  return rows
}

test('A20 A21 A24 A26 load replays everything in order, with its ids, in another process', async () => {
  const { id, prompts, live } = await conversation(agent)
  const replayed = await load(other, id)
  const isUser = ({ sessionUpdate }: Update) => sessionUpdate === 'user_message_chunk'
  expect(replayed.filter((update) => !isUser(update))).toEqual(live)
  expect(replayed.filter(isUser).map(({ content }) => content)).toEqual(
    prompts.map((text) => ({ type: 'text', text })),
  )
  const kinds = replayed.map(({ sessionUpdate }) => sessionUpdate)
  expect(kinds.slice(0, 4)).toEqual([
    'user_message_chunk',
    'session_info_update',
    'agent_message_chunk',
    'user_message_chunk',
  ])
  const finals = replayed.filter(({ status }) => status === 'completed').map(({ toolCallId }) => toolCallId)
  const calls = replayed.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call')
  expect(new Set(finals)).toEqual(new Set(calls.map(({ toolCallId }) => toolCallId)))
  const messages = replayed.flatMap(({ messageId }) => (typeof messageId === 'string' ? [messageId] : []))
  expect(new Set(messages).size).toBe(messages.length)
})

test('A21 blocks of every announced kind are replayed as they were sent', async () => {
  const id = await agent.open(bench.cwd)
  const prompt = [
    { type: 'text', text: '/plan', _meta: { own: 1 }, annotations: { audience: ['user'] } },
    { type: 'resource_link', uri: 'file:///a', name: 'a', mimeType: 'text/plain', size: 3 },
    { type: 'resource', resource: { uri: 'file:///b', mimeType: 'text/plain', text: 'e1[id]' } },
  ]
  await agent.request('session/prompt', { sessionId: id, prompt, _meta: { traceparent: '00-1-2-01' } })
  const replayed = await load(other, id)
  const user = replayed.filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')
  expect(user.map(({ content }) => content)).toEqual(prompt)
  expect(user.map(({ _meta }) => _meta)).toEqual(prompt.map(() => ({ traceparent: '00-1-2-01' })))
})

test('A22 A23 the answer of load is an object after the replay, and then it is quiet', async () => {
  const { id } = await conversation(agent)
  const idle = await other.open(bench.cwd)
  await load(other, id)
  // The commands of the other session may be announced after it.
  const at = other.frames.findLastIndex(({ result }) => result !== undefined)
  expect(other.frames[at]?.result).toEqual({
    configOptions: [expect.objectContaining({ id: 'mode' })],
    _meta: { plasmid: { intent: `acp:${id}` } },
  })
  await other.ask(idle, '/sleep 0.7')
  expect(other.updates(id, at)).toEqual([])
})

test('A25 A35 symbols, plans and page handles work after load and after resume', async () => {
  const id = await agent.open(bench.cwd)
  await agent.ask(id, '/context shop:Customer')
  const handle = /s\d+_pg\d+/.exec(await agent.ask(id, 'e1[id]'))?.[0] ?? ''
  await load(other, id)
  expect(await other.ask(id, `page(${handle})`)).toContain('c4')
  const third = await bench.start()
  await third.request('session/resume', { sessionId: id, cwd: bench.cwd })
  expect(await third.ask(id, `page(${handle})`)).toContain('c4')
  expect(await third.ask(id, 'e1("c2")[name]')).toContain('Customer 2')
})

test.each(['sess_none', '../x', 'a\u0000b', 'x'.repeat(10_000), '', '__proto__'])(
  'A27 A37 an unknown id is a resource that is not found (%#)',
  async (sessionId) => {
    const before = await rowsOf('transcripts')
    for (const method of ['session/load', 'session/resume']) {
      const from = agent.frames.length
      const { error } = await agent.request(method, { sessionId, cwd: bench.cwd, mcpServers: [] })
      expect([error?.code, error?.data?.['sessionId']]).toEqual([-32002, sessionId.slice(0, 200)])
      expect(agent.frames.slice(from)).toHaveLength(1)
    }
    expect(await rowsOf('transcripts')).toEqual(before)
  },
)

test('A28 a session that was never prompted, one that is live here, and twice the same', async () => {
  const fresh = await agent.open(bench.cwd)
  expect(await load(agent, fresh)).toEqual([])
  expect(await load(other, fresh)).toEqual([])
  const { id } = await conversation(agent)
  const first = await load(agent, id)
  expect(first.length).toBeGreaterThan(8)
  expect(await load(agent, id)).toEqual(first)
  expect(await load(other, id)).toEqual(first)
})

test('A29 load and resume are refused while a prompt runs', async () => {
  const id = await agent.open(bench.cwd)
  const running = agent.prompt(id, '/sleep 600')
  const params = { sessionId: id, cwd: bench.cwd, mcpServers: [] }
  for (const method of ['session/load', 'session/resume']) {
    const { error } = await agent.request(method, params)
    expect([error?.code, error?.data]).toMatchObject([-32600, { code: 'prompt_running' }])
  }
  agent.notify('session/cancel', { sessionId: id })
  expect((await running).result).toEqual({ stopReason: 'cancelled' })
  expect((await agent.request('session/load', params)).error).toBeUndefined()
})

test('A30 A37 another directory is refused, another spelling of the same is not', async () => {
  const real = await realpath(bench.cwd)
  const link = join(bench.dir, 'link')
  await symlink(real, link)
  const id = await agent.open(bench.cwd)
  for (const method of ['session/load', 'session/resume']) {
    const refused = await agent.request(method, { sessionId: id, cwd: '/', mcpServers: [] })
    expect([refused.error?.code, refused.error?.data]).toMatchObject([
      -32602,
      { code: 'cwd_differs', sessionId: id, sessionCwd: bench.cwd },
    ])
    for (const cwd of [`${bench.cwd}/`, `${bench.cwd}/./x/..`, link])
      expect((await agent.request(method, { sessionId: id, cwd, mcpServers: [] })).error).toBeUndefined()
  }
})

test('A31 tool calls of a process that was killed replay as failed', async () => {
  const killed = await bench.startProcess()
  const id = await killed.open(bench.cwd)
  await killed.ask(id, '/context shop:Customer')
  bench.api.hang = true
  const hanging = bench.api.hanging()
  void killed.prompt(id, 'e1("c1")[name]').catch(() => undefined)
  await hanging
  await expect.poll(() => killed.updates(id).filter(({ status }) => status === 'in_progress')).toHaveLength(2)
  await killed.kill()
  bench.api.release()
  const replayed = await load(other, id)
  const last = new Map(
    replayed.flatMap(({ toolCallId, status }) => (toolCallId ? [[toolCallId, status]] : [])),
  )
  expect([...last.values()]).toEqual(['failed', 'failed'])
  expect(await load(agent, id)).toEqual(replayed)
  expect(await agent.ask(id, 'e1("c1")[name]')).toContain('Customer 1')
}, 60_000)

test('A32 the replay of a cancelled turn asks, runs and writes nothing', async () => {
  const id = await agent.open(bench.cwd)
  await agent.ask(id, '/context shop:Customer')
  agent.permission = 'never'
  const running = agent.prompt(id, 'e1("c1").delete()')
  const asked = agent.asked.length
  await expect.poll(() => agent.asked.length).toBe(asked + 1)
  agent.notify('session/cancel', { sessionId: id })
  expect((await running).result).toEqual({ stopReason: 'cancelled' })
  agent.permission = 'allow'
  const before = await Promise.all(['transcripts', 'transcript_lines', 'sessions'].map(rowsOf))
  const requests = bench.api.requests.length
  const replayed = await load(other, id)
  expect(replayed.map(({ content }) => JSON.stringify(content ?? ''))).toContainEqual(
    expect.stringContaining('Not run'),
  )
  expect(other.asked.filter(({ params }) => params?.['sessionId'] === id)).toEqual([])
  expect(bench.api.requests).toHaveLength(requests)
  expect(await Promise.all(['transcripts', 'transcript_lines', 'sessions'].map(rowsOf))).toEqual(before)
})

test('A33 a damaged line ends in an error, and other sessions are untouched', async () => {
  const [{ id }, { id: whole }] = [await conversation(agent), await conversation(agent)]
  const db = await openDriver(join(bench.dir, 'data', 'plasmid.db'))
  db.prepare(
    `UPDATE transcript_lines SET body = '{"sessionUp' WHERE at = 5 AND transcript =
     (SELECT number FROM transcripts WHERE id = ?)`,
  ).run(JSON.stringify(id))
  db.close()
  const { error } = await other.request('session/load', { sessionId: id, cwd: bench.cwd, mcpServers: [] })
  expect(error?.code).toBe(-32603)
  expect((await load(other, whole)).length).toBeGreaterThan(8)
})

test('A34 A36 resume sends nothing before its answer and needs no servers', async () => {
  const { id } = await conversation(agent)
  const idle = await other.open(bench.cwd)
  const from = other.frames.length
  await other.request('session/resume', { sessionId: id, cwd: bench.cwd })
  expect(other.updates(id, from)).toEqual([])
  await other.ask(idle, '/sleep 0.5')
  expect(other.updates(id, from)).toEqual([])
  await expect
    .poll(() => other.updates(id, from).map(({ sessionUpdate }) => sessionUpdate))
    .toEqual(['available_commands_update'])
})

test('A38 additional directories that are not absolute texts change nothing', async () => {
  const id = await agent.open(bench.cwd, { additionalDirectories: [bench.dir] })
  const before = await rowsOf('transcripts')
  for (const wrong of ['/a', { a: 1 }, [''], ['rel'], [null], [1], ['/ok', './no'], ['/a\u0000']])
    for (const method of ['session/new', 'session/load', 'session/resume']) {
      const params = { sessionId: id, cwd: bench.cwd, mcpServers: [], additionalDirectories: wrong }
      expect((await agent.request(method, params)).error?.code).toBe(-32602)
    }
  expect(await rowsOf('transcripts')).toEqual(before)
})

test('A39 the list of a request replaces the stored one wholly', async () => {
  const [x, y] = [join(bench.dir, 'rx'), join(bench.dir, 'ry')]
  await Promise.all([mkdir(x), mkdir(y)])
  const id = await agent.open(bench.cwd, { additionalDirectories: [x] })
  const stored = async () => {
    const { result } = await other.request('session/list', {})
    const sessions: unknown = result?.['sessions']
    return Array.isArray(sessions)
      ? sessions.find((one: { sessionId: string }) => one.sessionId === id)
      : undefined
  }
  for (const list of [[y, x], [y], [x, y], []]) {
    await load(agent, id, { additionalDirectories: list })
    expect(await stored()).toMatchObject({ additionalDirectories: list })
  }
  await load(agent, id, { additionalDirectories: [x] })
  await load(agent, id)
  expect(await stored()).toMatchObject({ additionalDirectories: [] })
})

test('one symbol space from ACP to MCP, to the command line, and back', async () => {
  const id = await agent.open(bench.cwd, { _meta: { plasmid: { intent: 'one goal of an editor' } } })
  const taught = await agent.ask(id, '/context shop:Customer')
  const ref = /^`(s\d+)`/.exec(taught)?.[1] ?? ''
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PLASMID, 'mcp', ...bench.flags],
      env: cleanEnv(),
    }),
  )
  const context = { name: 'plasm_context', arguments: { intent: 'one goal of an editor', seeds: SEEDS } }
  expect(textOf(await client.callTool(context))).toMatch(new RegExp(`^\`${ref}\`\n\n_Session unchanged`))
  const run = { name: 'plasm_run', arguments: { logical_session_ref: ref, program: 'e1("c1")[id, name]' } }
  const [there, here] = [textOf(await client.callTool(run)), await agent.ask(id, 'e1("c1")[id, name]')]
  expect(here).toBe(there.trimEnd())
  const grown = {
    name: 'plasm_context',
    arguments: { logical_session_ref: ref, seeds: [{ api: 'shop', entity: 'Order' }] },
  }
  expect(textOf(await client.callTool(grown))).toContain('e2')
  expect(await agent.ask(id, '/plan e2{customer=e1("c1")}[id]')).toContain('plan ok')
  await client.close()
}, 60_000)
