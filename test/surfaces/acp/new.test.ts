import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { AcpBench, type AcpAgent } from './driver.ts'

let bench: AcpBench
let agent: AcpAgent
beforeAll(async () => {
  bench = await AcpBench.open()
  agent = await bench.start()
})
afterEach(() => bench.check())
afterAll(() => bench.close())

/** The ids of all sessions in the store. */
async function listed(): Promise<unknown[]> {
  const { result } = await agent.request('session/list', {})
  const sessions = result?.['sessions']
  return Array.isArray(sessions) ? sessions : []
}

test('A1 requests before initialize are refused and create nothing', async () => {
  const early = await bench.launch()
  for (const method of ['session/new', 'session/list', 'session/prompt'])
    expect((await early.request(method, { cwd: bench.cwd, mcpServers: [] })).error?.code).toBe(-32600)
  await early.initialize()
  expect((await early.request('session/list', {})).result).toEqual({ sessions: [] })
})

test.each([1, 99, 65_535])('A2 version %i is answered with our own', async (protocolVersion) => {
  expect((await agent.initialize({ protocolVersion, info: { name: 'x' } })).result).toMatchObject({
    protocolVersion: 1,
  })
})

test('A3 the agent names itself and needs no authentication', async () => {
  const { result } = await agent.initialize()
  expect(result).toMatchObject({
    agentInfo: { name: 'plasmid', version: expect.stringMatching(/^\d+\.\d+/) },
    authMethods: [],
  })
  expect((await agent.request('session/new', { cwd: bench.cwd, mcpServers: [] })).error).toBeUndefined()
})

test('A4 what is announced works, and no other method exists', async () => {
  const { result } = await agent.initialize()
  expect(result?.['agentCapabilities']).toMatchObject({
    loadSession: true,
    promptCapabilities: { image: false, audio: false, embeddedContext: true },
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
  })
  for (const method of [
    'session/set_mode',
    'session/fork',
    'authenticate',
    'logout',
    'session/nothing',
    '_a.b/c',
  ])
    expect((await agent.request(method, { sessionId: 'x' })).error?.code).toBe(-32601)
})

test('A6 ids are unique, also in another process over the same store', async () => {
  const other = await bench.start()
  const ids = await Promise.all([agent, other, agent, other].map((one) => one.open(bench.cwd)))
  expect(new Set(ids).size).toBe(4)
})

test.each(['rel', '', './x', '~/x', '/a\u0000b', '/a\nb', '/tmp '])(
  'A7 cwd %j is refused and stores nothing',
  async (cwd) => {
    const before = await listed()
    const { error } = await agent.request('session/new', { cwd, mcpServers: [] })
    expect([error?.code, error?.data]).toMatchObject([-32602, { code: 'path_relative' }])
    expect(await listed()).toEqual(before)
  },
)

test('A8 cwd must be an existing directory in new, and may be gone in load and resume', async () => {
  const file = join(bench.dir, 'file')
  await writeFile(file, '')
  for (const cwd of [join(bench.dir, 'none'), file]) {
    const { error } = await agent.request('session/new', { cwd, mcpServers: [] })
    expect([error?.code, error?.message]).toEqual([-32602, expect.stringContaining(cwd)])
  }
  const cwd = join(bench.dir, 'moved')
  await mkdir(cwd)
  const id = await agent.open(cwd)
  await rm(cwd, { recursive: true })
  for (const method of ['session/load', 'session/resume'])
    expect((await agent.request(method, { sessionId: id, cwd, mcpServers: [] })).error).toBeUndefined()
})

test('A9 cwd is the workspace of the calls, wherever the agent was started', async () => {
  const [own, other] = [join(bench.dir, 'own'), join(bench.dir, 'other')]
  await Promise.all([mkdir(own), mkdir(other)])
  const config = join(bench.dir, 'plasmid.yaml')
  await writeFile(
    config,
    `workspaces:\n  - {root: ${own}, catalogs: [shop]}\n  - {root: ${other}, catalogs: []}\n`,
  )
  const placed = await bench.start(['--config', config])
  const [shop, none] = [await placed.open(own), await placed.open(other)]
  expect(await placed.ask(shop, 'customers of the gold tier')).toContain('shop\tCustomer')
  expect(await placed.ask(none, 'customers of the gold tier')).not.toContain('shop\tCustomer')
})

test('A10 A11 cwd stays the first root beside additional directories', async () => {
  const more = [join(bench.dir, 'x'), bench.cwd, join(bench.dir, 'x'), join(bench.dir, 'y')]
  const id = await agent.open(bench.cwd, { additionalDirectories: more })
  const [session] = await listed()
  expect(session).toMatchObject({
    sessionId: id,
    cwd: bench.cwd,
    additionalDirectories: [join(bench.dir, 'x'), join(bench.dir, 'y')],
  })
})

test('A12 mcpServers is required, an empty list and null are fine', async () => {
  const missing = await agent.request('session/new', { cwd: bench.cwd })
  expect([missing.error?.code, missing.error?.message]).toEqual([
    -32602,
    expect.stringContaining('mcpServers'),
  ])
  for (const mcpServers of [[], null])
    expect((await agent.request('session/new', { cwd: bench.cwd, mcpServers })).error).toBeUndefined()
})

test('A13 a session can be used at once', async () => {
  const id = await agent.open(bench.cwd)
  const [first, second] = [agent.prompt(id, '/help'), agent.prompt(id, '/sessions')]
  expect((await first).result).toEqual({ stopReason: 'end_turn' })
  expect((await second).result).toEqual({ stopReason: 'end_turn' })
})

test('A14 a session is durable before its answer', async () => {
  const killed = await bench.startProcess()
  const id = await killed.open(bench.cwd)
  await killed.kill()
  const { error } = await agent.request('session/load', { sessionId: id, cwd: bench.cwd, mcpServers: [] })
  expect(error).toBeUndefined()
})

test('A15 A16 two sessions at once mix neither updates nor entities', async () => {
  const [a, b] = [await agent.open(bench.cwd), await agent.open(bench.cwd)]
  await agent.ask(a, '/context shop:Customer')
  const from = agent.frames.length
  await Promise.all([agent.prompt(a, 'e1("c1")[name]'), agent.prompt(b, 'e1("c2")[name]')])
  expect(agent.said(a, from)).toContain('Customer 1')
  expect(agent.said(b, from)).toContain('no entities yet')
  expect(agent.said(b, from)).not.toContain('Customer')
})

test('the option of a session decides what runs, and is kept', async () => {
  const id = await agent.open(bench.cwd)
  await agent.ask(id, '/context shop:Customer')
  const set = (configId: string, value: unknown) =>
    agent.request('session/set_config_option', { sessionId: id, configId, value })
  const requests = bench.api.requests.length
  expect((await set('mode', 'plan')).result?.['configOptions']).toMatchObject([
    { id: 'mode', currentValue: 'plan' },
  ])
  expect(await agent.ask(id, 'e1("c1").delete()')).toContain('plan review')
  expect(await agent.ask(id, 'e1[id]')).toContain('plan ok')
  expect(bench.api.requests).toHaveLength(requests)
  await set('mode', 'run')
  const asked = agent.asked.length
  expect(await agent.ask(id, 'e1("c1").delete()')).toContain('_Changes: 1 done._')
  expect(agent.asked).toHaveLength(asked)
  const other = await bench.start()
  const { result } = await other.request('session/resume', { sessionId: id, cwd: bench.cwd })
  expect(result?.['configOptions']).toMatchObject([{ currentValue: 'run' }])
  expect((await set('mode', 'wild')).error?.code).toBe(-32602)
  expect((await set('speed', 'run')).error?.code).toBe(-32602)
})

test('in every mode the operator who demands a person has one asked', async () => {
  const strict = await bench.start(['--effects', 'shop=confirm'])
  const id = await strict.open(bench.cwd)
  await strict.ask(id, '/context shop:Customer')
  expect(await strict.ask(id, 'e1("c1").delete()')).toContain('_Changes: 1 done._')
  expect(strict.asked).toHaveLength(1)
  await strict.request('session/set_config_option', { sessionId: id, configId: 'mode', value: 'run' })
  expect(await strict.ask(id, 'e1("c2").delete()')).toContain('_Changes: 1 done._')
  expect(strict.asked).toHaveLength(2)
  strict.permission = 'reject'
  expect(await strict.ask(id, 'e1("c3").delete()')).toContain('Not run')
  expect(bench.api.requests.filter((request) => request.endsWith('/c3'))).toEqual([])
})
