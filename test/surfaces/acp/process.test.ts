import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { AcpBench } from './driver.ts'
import { wrongWith } from './frames.ts'

let bench: AcpBench
beforeAll(async () => {
  bench = await AcpBench.open()
})
afterEach(() => bench.check())
afterAll(() => bench.close())

test('A5 what is no message gets an error, and the connection lives', async () => {
  const agent = await bench.start()
  const id = await agent.open(bench.cwd)
  const wrong: readonly [string, number][] = [
    ['no json at all', -32700],
    ['{"jsonrpc":"2.0","id":1', -32700],
    ['[{"jsonrpc":"2.0","id":1,"method":"session/list"}]', -32600],
    ['"text"', -32600],
    ['null', -32600],
    ['{"id":1,"method":"session/list"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"session/list"}', -32600],
    ['\u0000\u0001', -32700],
    ['['.repeat(100_000), -32700],
  ]
  for (const [line, code] of wrong) {
    const from = agent.frames.length
    agent.raw(`${line}\n`)
    const errors = () => agent.frames.slice(from).filter(({ error }) => error)
    await expect.poll(errors).toMatchObject([{ id: null, error: { code } }])
  }
  agent.raw('\n\r\n  \n')
  agent.raw('{"jsonrpc":"2.0","id":77,"result":{}}\n')
  agent.raw('{"jsonrpc":"2.0","id":78}\n')
  expect(await agent.ask(id, '/sleep 0')).toBe('Slept 0 s.')
})

test('parameters of any shape get one sentence', async () => {
  const agent = await bench.start()
  const wrong: readonly [string, unknown][] = [
    ['session/new', undefined],
    ['session/new', []],
    ['session/new', 'x'],
    ['session/new', { cwd: 1, mcpServers: [] }],
    ['session/new', { cwd: '/', mcpServers: [{ name: 'a', command: '/x', args: [], env: { A: '1' } }] }],
    ['session/new', { cwd: '/', mcpServers: [{ name: 'a', command: '/x', args: [] }] }],
    ['session/new', { cwd: '/', mcpServers: [{ type: 'pigeon', name: 'a', url: 'x', headers: [] }] }],
    ['session/new', { cwd: '/', mcpServers: {} }],
    ['session/load', { cwd: '/', mcpServers: [] }],
    ['session/prompt', {}],
    ['session/set_config_option', { sessionId: 'x' }],
    ['session/close', { sessionId: 7 }],
    ['session/list', { cursor: 1 }],
  ]
  for (const [method, params] of wrong) {
    const { error } = await agent.request(method, params)
    expect([method, error?.code]).toEqual([method, -32602])
    expect(error?.message).not.toContain('\n')
    expect(error?.message.length).toBeLessThan(400)
  }
})

test('a message that is too long ends the process with an error and code 1', async () => {
  const agent = await bench.startProcess()
  const id = await agent.open(bench.cwd)
  agent.raw(`{"jsonrpc":"2.0","id":9,"method":"session/list","params":{"x":"${'x'.repeat(9_000_000)}"}}\n`)
  expect(await agent.gone()).toBe(1)
  expect(agent.frames.at(-1)).toMatchObject({
    id: null,
    error: { code: -32600, data: { code: 'line_too_long' } },
  })
  const next = await bench.start()
  const params = { sessionId: id, cwd: bench.cwd, mcpServers: [] }
  expect((await next.request('session/load', params)).error).toBeUndefined()
})

test('A61 the end of the input cancels what runs, and the process ends at once', async () => {
  const agent = await bench.startProcess()
  const id = await agent.open(bench.cwd)
  void agent.prompt(id, '/sleep 600').catch(() => undefined)
  await expect.poll(() => agent.updates(id).at(-1)?.['status']).toBe('in_progress')
  const began = performance.now()
  expect(await agent.end()).toBe(0)
  expect(performance.now() - began).toBeLessThan(2000)
  const next = await bench.start()
  await next.request('session/load', { sessionId: id, cwd: bench.cwd, mcpServers: [] })
  expect(next.updates(id).findLast(({ toolCallId }) => toolCallId)).toMatchObject({ status: 'failed' })
})

test.each(['SIGTERM', 'SIGINT'] as const)('A61 %s cancels what runs, with code 0', async (signal) => {
  const agent = await bench.startProcess()
  const id = await agent.open(bench.cwd)
  const running = agent.prompt(id, '/sleep 600')
  await expect.poll(() => agent.updates(id).at(-1)?.['status']).toBe('in_progress')
  const began = performance.now()
  agent.child.kill(signal)
  expect((await running).result).toEqual({ stopReason: 'cancelled' })
  expect(await agent.gone()).toBe(0)
  expect(performance.now() - began).toBeLessThan(2000)
})

test('a client that stops reading and dies leaves no process behind', async () => {
  const [agent, other] = await Promise.all([bench.startProcess(), bench.start()])
  const id = await agent.open(bench.cwd)
  agent.child.stdout?.destroy()
  void agent.prompt(id, '/help').catch(() => undefined)
  void agent.prompt(id, '/sleep 600').catch(() => undefined)
  await other.ask(await other.open(bench.cwd), '/sleep 0.3')
  expect(await agent.end()).toBe(0)
})

test('A62 two processes on one session take turns, and both are in the transcript', async () => {
  const [one, two] = await Promise.all([bench.start(), bench.startProcess()])
  const id = await one.open(bench.cwd)
  await one.ask(id, '/context shop:Customer')
  await two.request('session/load', { sessionId: id, cwd: bench.cwd, mcpServers: [] })
  const numbers = [1, 2, 3, 4, 5, 6]
  const answers = await Promise.all(
    numbers.map((number) => (number % 2 ? one : two).prompt(id, `e1("c${number}")[name]`)),
  )
  expect(answers.map(({ result }) => result)).toEqual(numbers.map(() => ({ stopReason: 'end_turn' })))
  const third = await bench.start()
  await third.request('session/load', { sessionId: id, cwd: bench.cwd, mcpServers: [] })
  const turns = third
    .updates(id)
    .filter(({ sessionUpdate }) => sessionUpdate.endsWith('message_chunk'))
    .slice(2)
  const texts = turns.map(({ content }) => JSON.stringify(content))
  // Each prompt is followed by its own answer.
  for (let at = 0; at < texts.length; at += 2) {
    const number = /c(\d)/.exec(texts[at] ?? '')?.[1]
    expect(texts[at + 1]).toContain(`Customer ${number}`)
  }
  expect(texts).toHaveLength(12)
}, 60_000)

test('A62 a prompt waits for another process, and is refused while that one goes on', async () => {
  const [one, two] = await Promise.all([bench.start(), bench.startProcess()])
  const id = await one.open(bench.cwd)
  await two.request('session/resume', { sessionId: id, cwd: bench.cwd })
  const running = one.prompt(id, '/sleep 600')
  await expect.poll(() => one.updates(id).at(-1)?.['status']).toBe('in_progress')
  const refused = await two.prompt(id, '/help')
  expect([refused.error?.code, refused.error?.data]).toMatchObject([-32600, { code: 'conversation_busy' }])
  const load = { sessionId: id, cwd: bench.cwd, mcpServers: [] }
  expect((await two.request('session/load', load)).error?.code).toBe(-32600)
  one.notify('session/cancel', { sessionId: id })
  await running
  expect(await two.ask(id, '/sleep 0')).toBe('Slept 0 s.')
}, 60_000)

test('A62 a session deleted by another process stops its prompt', async () => {
  const [one, two] = await Promise.all([bench.start(), bench.startProcess()])
  const id = await one.open(bench.cwd)
  const running = one.prompt(id, '/sleep 4')
  await expect.poll(() => one.updates(id).at(-1)?.['status']).toBe('in_progress')
  await two.request('session/delete', { sessionId: id })
  expect((await running).error?.code).toBe(-32603)
  expect((await one.prompt(id, '/help')).error?.code).toBe(-32002)
}, 60_000)

test('the check of frames finds what is wrong', () => {
  const update = (more: object) => ({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: 's', update: { sessionUpdate: 'tool_call', toolCallId: 'c', title: 't', ...more } },
  })
  const answer = (result: Record<string, unknown>) => ({ jsonrpc: '2.0', id: 1, result })
  expect(wrongWith(update({}), undefined)).toEqual([])
  expect(wrongWith(update({ status: 'cancelled' }), undefined)).not.toEqual([])
  expect(wrongWith(update({ own: 1 }), undefined)).toEqual(['SessionUpdate has the unknown key own'])
  expect(wrongWith(update({ sessionUpdate: 'notice' }), undefined)).not.toEqual([])
  expect(wrongWith(answer({ sessionId: 's' }), 'session/new')).toEqual([])
  expect(wrongWith(answer({ sessionId: 's', models: [] }), 'session/new')).toHaveLength(1)
  expect(wrongWith(answer({}), 'session/new')).not.toEqual([])
  expect(wrongWith(answer({ stopReason: 'done' }), 'session/prompt')).not.toEqual([])
  expect(wrongWith(answer({}), undefined)).toEqual(['an answer to nothing'])
  expect(wrongWith({ jsonrpc: '2.0', method: 'fs/read' }, undefined)).toHaveLength(1)
  expect(wrongWith({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'a\nb' } }, 'x')).toHaveLength(1)
})
