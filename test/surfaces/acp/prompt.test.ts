import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { AcpBench, type AcpAgent, type Permission } from './driver.ts'

let bench: AcpBench
let agent: AcpAgent
beforeAll(async () => {
  bench = await AcpBench.open()
  agent = await bench.start()
})
afterEach(() => {
  bench.check()
  agent.permission = 'allow'
})
afterAll(() => bench.close())

/** A session that has picked the customers. */
async function ready(): Promise<string> {
  const id = await agent.open(bench.cwd)
  await agent.ask(id, '/context shop:Customer')
  return id
}

const TASKS = fileURLToPath(new URL('../../hostile/catalogs/tasks', import.meta.url))

const blocks = (...prompt: readonly unknown[]) => ({ prompt })

test('A51 calls to an API are tool calls with name, kind, input and output', async () => {
  const id = await ready()
  const from = agent.frames.length
  await agent.ask(id, 'e1("c1")[name]')
  const calls = agent.updates(id, from).filter(({ toolCallId }) => toolCallId !== undefined)
  const run = calls[0]?.['toolCallId']
  expect(calls).toMatchObject([
    {
      sessionUpdate: 'tool_call',
      kind: 'execute',
      status: 'pending',
      name: 'plasm_run',
      title: 'e1("c1")[name]',
    },
    { sessionUpdate: 'tool_call_update', toolCallId: run, status: 'in_progress' },
    {
      sessionUpdate: 'tool_call',
      name: 'shop.customer_get',
      kind: 'fetch',
      status: 'in_progress',
      rawInput: { api: 'shop', capability: 'customer_get' },
    },
    { sessionUpdate: 'tool_call_update', status: 'completed', rawOutput: { status: 200 } },
    { sessionUpdate: 'tool_call_update', toolCallId: run, status: 'completed', rawOutput: { ok: true } },
  ])
})

test('A51 a failed program is a failed tool call and a regular end of the turn', async () => {
  const id = await ready()
  const from = agent.frames.length
  const text = await agent.ask(id, 'e1{nmae=x}')
  expect(text).toMatch(/^```text\nunknown_/)
  const last = agent.updates(id, from).filter(({ toolCallId }) => toolCallId !== undefined)
  expect(last.map(({ status }) => status)).toEqual(['pending', 'failed'])
})

test('A52 text, links and embedded texts are accepted', async () => {
  const id = await ready()
  const prompt = [
    { type: 'text', text: '/run ' },
    { type: 'resource', resource: { uri: 'file:///p', text: 'e1("c3")[name]' } },
    { type: 'resource_link', uri: 'file:///x', name: 'x' },
  ]
  const from = agent.frames.length
  expect((await agent.request('session/prompt', { sessionId: id, prompt })).result).toEqual({
    stopReason: 'end_turn',
  })
  expect(agent.said(id, from)).toContain('Customer 3')
})

test.each([
  ['an image', blocks({ type: 'image', data: 'aGk=', mimeType: 'image/png' })],
  ['a sound', blocks({ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' })],
  ['an unknown block', blocks({ type: 'hologram' })],
  ['a text without text', blocks({ type: 'text' })],
  ['nothing', blocks()],
  ['no list', { prompt: 'hi' }],
  ['too much', blocks({ type: 'text', text: 'x'.repeat(1_100_000) })],
])('A52 a prompt of %s is refused and not kept', async (_, prompt) => {
  const id = await agent.open(bench.cwd)
  expect((await agent.request('session/prompt', { sessionId: id, ...prompt })).error?.code).toBe(-32602)
  const from = agent.frames.length
  await agent.request('session/load', { sessionId: id, cwd: bench.cwd, mcpServers: [] })
  const kinds = new Set(agent.updates(id, from).map(({ sessionUpdate }) => sessionUpdate))
  expect(kinds).toEqual(new Set(['available_commands_update']))
})

test('A53 all updates come before the answer, also of a cancelled prompt', async () => {
  const id = await ready()
  const running = agent.prompt(id, '/sleep 600')
  await expect
    .poll(() => agent.updates(id).at(-1))
    .toMatchObject({ title: 'Sleep 600 s', status: 'in_progress' })
  const began = performance.now()
  agent.notify('session/cancel', { sessionId: id })
  const answer = await running
  expect(answer.result).toEqual({ stopReason: 'cancelled' })
  expect(performance.now() - began).toBeLessThan(1000)
  expect(agent.frames.at(-1)).toBe(answer)
  expect(agent.updates(id).at(-1)).toMatchObject({ sessionUpdate: 'tool_call_update', status: 'failed' })
})

test('A53 a cancelled read stops at the API', async () => {
  const id = await ready()
  bench.api.hang = true
  const hanging = bench.api.hanging()
  const aborted = bench.api.aborted()
  const running = agent.prompt(id, 'e1("c1")[name]')
  await hanging
  agent.notify('session/cancel', { sessionId: id })
  expect((await running).result).toEqual({ stopReason: 'cancelled' })
  await expect.poll(() => bench.api.aborted()).toBe(aborted + 1)
  bench.api.release()
})

test('an effect that was sent is awaited and reported, though the turn was cancelled', async () => {
  const id = await ready()
  bench.api.hang = true
  const hanging = bench.api.hanging()
  const from = agent.frames.length
  const running = agent.prompt(id, 'e1("c4").delete()')
  await hanging
  agent.notify('session/cancel', { sessionId: id })
  bench.api.release()
  expect((await running).result).toEqual({ stopReason: 'cancelled' })
  expect(agent.said(id, from)).toContain('_Changes: 1 done._')
})

test.each<[Permission, string]>([
  ['allow', '_Changes: 1 done._'],
  ['reject', 'Not run'],
  ['cancelled', 'Not run'],
  ['unknown', 'Not run'],
  ['error', 'Not run'],
])('A54 a permission answered by %s', async (permission, said) => {
  const id = await ready()
  agent.permission = permission
  const before = bench.api.requests.length
  const from = agent.frames.length
  expect((await agent.prompt(id, 'e1("c7").delete()')).result).toEqual({ stopReason: 'end_turn' })
  expect(agent.said(id, from)).toContain(said)
  expect(bench.api.requests.slice(before)).toEqual(permission === 'allow' ? ['DELETE /v1/customers/c7'] : [])
  expect(agent.asked.at(-1)?.params).toMatchObject({
    sessionId: id,
    toolCall: { title: 'e1("c7").delete()', status: 'pending' },
    options: [{ kind: 'allow_once' }, { kind: 'reject_once' }],
  })
  expect(JSON.stringify(agent.asked.at(-1)?.params)).toContain('WRITE shop.Customer customer_delete')
})

test('A54 a cancel withdraws the question, and nothing is sent', async () => {
  const id = await ready()
  agent.permission = 'never'
  const before = bench.api.requests.length
  const asked = agent.asked.length
  const running = agent.prompt(id, 'e1("c7").delete()')
  await expect.poll(() => agent.asked.length).toBe(asked + 1)
  agent.notify('session/cancel', { sessionId: id })
  expect((await running).result).toEqual({ stopReason: 'cancelled' })
  const question = agent.asked.at(-1)
  expect(agent.frames).toContainEqual({
    jsonrpc: '2.0',
    method: '$/cancel_request',
    params: { requestId: question?.id },
  })
  // Too late.
  agent.write({
    jsonrpc: '2.0',
    id: question?.id,
    result: { outcome: { outcome: 'selected', optionId: 'allow' } },
  })
  expect(await agent.ask(id, 'e1("c1")[name]')).toContain('Customer 1')
  expect(bench.api.requests.slice(before)).toEqual(['GET /v1/customers/c1'])
})

test('A55 cancels of nothing are ignored', async () => {
  const id = await ready()
  const from = agent.frames.length
  agent.notify('session/cancel', { sessionId: 'sess_none' })
  agent.notify('session/cancel', { sessionId: id })
  agent.notify('session/cancel', {})
  agent.notify('$/cancel_request', { requestId: 12_345 })
  expect(await agent.ask(id, 'e1("c1")[name]')).toContain('Customer 1')
  expect(agent.frames.slice(from).filter(({ error }) => error)).toEqual([])
})

test('A55 a cancelled request ends regularly', async () => {
  const id = await agent.open(bench.cwd)
  const prompt = { sessionId: id, prompt: [{ type: 'text', text: '/sleep 600' }] }
  const { id: requestId, answer } = agent.send('session/prompt', prompt)
  agent.notify('$/cancel_request', { requestId })
  expect((await answer).result).toEqual({ stopReason: 'cancelled' })
})

test('A56 close cancels, and load brings the session back', async () => {
  const id = await ready()
  const running = agent.prompt(id, '/sleep 600')
  expect((await agent.request('session/close', { sessionId: id })).result).toEqual({})
  expect((await running).result).toEqual({ stopReason: 'cancelled' })
  const { error } = await agent.prompt(id, '/help')
  expect([error?.code, error?.data]).toMatchObject([-32002, { sessionId: id }])
  expect((await agent.request('session/close', { sessionId: id })).error?.code).toBe(-32002)
  await agent.request('session/load', { sessionId: id, cwd: bench.cwd, mcpServers: [] })
  expect(await agent.ask(id, 'e1("c1")[name]')).toContain('Customer 1')
})

test('A57 the list has pages that do not move, and filters by directory', async () => {
  const lister = await bench.start()
  const cwd = `${bench.cwd}/`
  for (let count = 0; count < 60; count++) await lister.open(bench.cwd)
  const page = async (params: object) => {
    const { result } = await lister.request('session/list', params)
    const sessions: unknown = result?.['sessions']
    if (!Array.isArray(sessions)) throw new Error('no list')
    const ids: string[] = sessions.map(({ sessionId }: { sessionId: string }) => sessionId)
    return { ids, next: result?.['nextCursor'] }
  }
  const first = await page({})
  expect(first.ids).toHaveLength(50)
  expect(await page({})).toEqual(first)
  const added = await lister.open(cwd)
  const second = await page({ cursor: first.next })
  expect(new Set([...first.ids, ...second.ids, added]).size).toBe(51 + second.ids.length)
  expect((await page({})).ids[0]).toBe(added)
  expect(await page({ cwd })).toEqual({ ids: [added], next: undefined })
  expect(await page({ cwd: '/nobody/was/here' })).toEqual({ ids: [], next: undefined })
  for (const cursor of ['', 'x', 'YmVsb3cgLTE', String(first.next).slice(3)])
    expect((await lister.request('session/list', { cursor })).error?.code).toBe(-32602)
  expect((await lister.request('session/list', { cwd: 'rel' })).error?.code).toBe(-32602)
}, 60_000)

test('A58 a deleted session is gone, and deleting is safe to repeat', async () => {
  const id = await ready()
  const running = agent.prompt(id, '/sleep 600')
  expect((await agent.request('session/delete', { sessionId: id })).result).toEqual({})
  expect((await running).result).toEqual({ stopReason: 'cancelled' })
  for (const method of ['session/load', 'session/resume', 'session/prompt']) {
    const params = { sessionId: id, cwd: bench.cwd, mcpServers: [], prompt: [{ type: 'text', text: 'x' }] }
    expect((await agent.request(method, params)).error?.code).toBe(-32002)
  }
  for (const sessionId of [id, 'tck-never-created-session', '../x'])
    expect((await agent.request('session/delete', { sessionId })).result).toEqual({})
  const { result } = await agent.request('session/list', {})
  expect(JSON.stringify(result)).not.toContain(id)
})

test('A59 unknown extensions are answered, notifications ignored, _meta accepted', async () => {
  const id = await ready()
  expect((await agent.request('_other.vendor/thing', { a: 1 })).error?.code).toBe(-32601)
  agent.notify('_other.vendor/note', { a: 1 })
  const extra = { traceparent: '00-1-2-01', vendor: { deep: [1, null] } }
  for (const [method, params] of [
    ['session/list', { _meta: extra }],
    ['session/load', { sessionId: id, cwd: bench.cwd, mcpServers: [], _meta: extra }],
    [
      'session/prompt',
      { sessionId: id, prompt: [{ type: 'text', text: '/help', _meta: extra }], _meta: extra },
    ],
  ] as const)
    expect((await agent.request(method, params)).error).toBeUndefined()
})

test('A60 nothing is asked of a client that it did not announce', () => {
  const methods = new Set(agent.frames.flatMap(({ method }) => method ?? []))
  expect([...methods].toSorted()).toEqual([
    '$/cancel_request',
    'session/request_permission',
    'session/update',
  ])
})

test('prompts that come while one runs wait their turn, and too many are refused', async () => {
  const id = await ready()
  const from = agent.frames.length
  const all = Array.from({ length: 5 }, (_, index) => agent.prompt(id, `e1("c${index + 1}")[name]`))
  for (const answer of all) expect((await answer).result).toEqual({ stopReason: 'end_turn' })
  const order = [...agent.said(id, from).matchAll(/Customer \d/g)].map(([name]) => name)
  expect(order).toEqual([1, 2, 3, 4, 5].map((number) => `Customer ${number}`))
  const many = Array.from({ length: 12 }, () => agent.prompt(id, '/sleep 600'))
  const codes = await Promise.all(many.slice(9).map(async (answer) => (await answer).error?.code))
  expect(codes).toEqual([-32600, -32600, -32600])
  agent.notify('session/cancel', { sessionId: id })
  for (const answer of many.slice(0, 9)) expect((await answer).result).toEqual({ stopReason: 'cancelled' })
})

test('the commands are announced once, and each of them answers', async () => {
  const id = await agent.open(bench.cwd)
  const commands = () =>
    agent.updates(id).filter(({ sessionUpdate }) => sessionUpdate === 'available_commands_update')
  await expect.poll(() => commands().length).toBe(1)
  expect(commands()[0]?.['availableCommands']).toMatchObject(
    ['discover', 'context', 'plan', 'run', 'sessions', 'help', 'sleep'].map((name) => ({ name })),
  )
  expect(await agent.ask(id, '/discover gold customers')).toContain('shop\tCustomer')
  expect(await agent.ask(id, '/context')).toContain('no entities yet')
  expect(await agent.ask(id, '/context Customer')).toContain('`api:Entity`')
  expect(await agent.ask(id, '/context shop:Custmer')).toContain('Customer')
  expect(await agent.ask(id, '/context shop:Customer')).toContain('plasm_expr\tMeaning')
  expect(await agent.ask(id, '/context')).toContain('plasm_expr\tMeaning')
  expect(await agent.ask(id, '/plan e1[id]')).toContain('plan ok')
  expect(await agent.ask(id, '/run e1("c1")[name]')).toContain('Customer 1')
  expect(await agent.ask(id, '/sessions')).toContain(`"acp:${id}"`)
  expect(await agent.ask(id, '/help')).toContain('A program is one string with real line breaks.')
  expect(await agent.ask(id, '/sleep 0')).toBe('Slept 0 s.')
  expect(await agent.ask(id, '/sleep x')).toContain('/sleep 5')
  expect(await agent.ask(id, '/dsicover x')).toContain('Did you mean `/discover`?')
  expect(await agent.ask(id, '/proto')).toContain('There is no command `/proto`.')
  expect(commands()).toHaveLength(1)
})

test('a name that the session knows is a program, any other is a question', async () => {
  const id = await ready()
  expect(await agent.ask(id, 'e1')).toContain('## ')
  expect(await agent.ask(id, 'Customer')).toContain('## ')
  expect(await agent.ask(id, 'orders')).toContain('shop\tOrder')
})

test('a read with data of another API is reviewed where the operator asks', async () => {
  const own = await bench.start(['--catalog', TASKS, '--backend', 'tasks=http://127.0.0.1:1'], {
    PLASMID_READ_FLOWS: 'shop=review',
  })
  const id = await own.open(bench.cwd)
  await own.ask(id, '/context tasks:Task shop:Customer')
  own.permission = 'reject'
  expect(await own.ask(id, 't = Task.limit(1)\nt => Customer(_.title)')).toContain('_Not run')
  expect(JSON.stringify(own.asked)).toContain('data read from tasks goes into a read of shop')
  own.permission = 'allow'
  expect(await own.ask(id, 't = Task.limit(1)\nt => Customer(_.title)')).toContain('unreachable')
})
