import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { plasmid } from '../plasmid.ts'
import { AcpBench } from './driver.ts'

let bench: AcpBench
beforeAll(async () => {
  bench = await AcpBench.open()
})
afterEach(() => bench.check())
afterAll(() => bench.close())

test('words, entities, a read and a write, and the same again after load and resume', async () => {
  const first = await bench.start()
  const id = await first.open(bench.cwd)
  const words = await first.ask(id, 'which customers are in the gold tier?')
  expect(words).toContain('shop\tCustomer')
  expect(words).toContain('/context shop:Customer')
  expect(await first.ask(id, '/context shop:Customer')).toMatch(/^`s0`\n\n```tsv\nplasm_expr\tMeaning\n/)
  expect(await first.ask(id, 'e1("c1")[id, name]')).toContain('c1\tCustomer 1')
  const paged = await first.ask(id, 'e1[id]')
  expect(paged).toMatch(/page\(s0_pg\d+\)/)
  const handle = /s0_pg\d+/.exec(paged)?.[0] ?? ''

  const before = bench.api.requests.length
  expect(await first.ask(id, 'e1("c4").delete()')).toContain('_Changes: 1 done._')
  expect(first.asked).toHaveLength(1)
  expect(bench.api.requests.slice(before)).toEqual(['DELETE /v1/customers/c4'])
  first.permission = 'reject'
  expect(await first.ask(id, 'e1("c5").delete()')).toContain('Not run')
  expect(bench.api.requests.slice(before)).toHaveLength(1)
  const live = first.updates(id).filter(({ sessionUpdate }) => sessionUpdate !== 'available_commands_update')
  expect(await first.end()).toBe(0)

  const second = await bench.start()
  const from = second.frames.length
  const loaded = await second.request('session/load', { sessionId: id, cwd: bench.cwd, mcpServers: [] })
  expect(loaded.result).toHaveProperty('configOptions')
  expect(second.frames.at(-1)).toBe(loaded)
  const replayed = second.updates(id, from)
  expect(
    replayed.filter(
      ({ sessionUpdate }) => !['available_commands_update', 'user_message_chunk'].includes(sessionUpdate),
    ),
  ).toEqual(live)
  expect(replayed.filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')).toHaveLength(6)
  expect(await second.ask(id, `page(${handle})`)).toContain('c4')
  expect(await second.ask(id, 'e1("c2")[name]')).toContain('Customer 2')

  const third = await bench.start()
  const resumed = third.frames.length
  await third.request('session/resume', { sessionId: id, cwd: bench.cwd })
  expect(third.frames.slice(resumed)).toHaveLength(1)
  expect(await third.ask(id, 'e1("c3")[name]')).toContain('Customer 3')

  const shell = await plasmid(['run', '--ref', 's0', 'e1("c1")[name]', ...bench.flags])
  expect(shell.stdout).toContain('Customer 1')
}, 60_000)
