import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { McpServer } from '../../../src/access/mcp-server.ts'
import { failed, ok } from '../../../src/base/diagnostic.ts'
import type { McpCall, McpRequest } from '../../../src/execution/mcp.ts'
import { problem } from '../../../src/execution/problems.ts'
import { contextOf, runtimeWith, serverOf } from './runtimes.ts'

/* Servers that misbehave, as processes of their own: a clear answer, in bounded time and memory, and the next call works. */

const NOTES = fileURLToPath(new URL('../../fixtures/mcp/notes-server.mjs', import.meta.url))

let started: Awaited<ReturnType<typeof runtimeWith>>
let file: string
beforeEach(async () => {
  started = await runtimeWith()
  file = join(started.folder, 'notes.json')
})
afterEach(() => started.runtime.shutDown())

function notes(mode = '', changes: Partial<McpServer> = {}): McpServer {
  const start = {
    kind: 'stdio',
    command: process.execPath,
    args: [NOTES, file, mode],
    env: {},
    cwd: '/',
  } as const
  return serverOf({ name: 'notes', start, ...changes })
}

interface Asking {
  readonly repeatable?: boolean
  readonly timeoutMs?: number
  readonly maxBytes?: number
  readonly session?: string
  readonly admit?: McpCall['admit']
}

/** Calls a tool: its text or data, or the code of the problem and what the server may have done. */
function calling(server: McpServer) {
  const { runtime } = started
  runtime.servers.add(server.name, server)
  return async (name: string, given: Record<string, string | number> = {}, asking: Asking = {}) => {
    const { repeatable = true, timeoutMs = 20_000, maxBytes = 1_000_000, session = 'l_session' } = asking
    const { admit = async () => ok(undefined) } = asking
    const request: McpRequest = { type: 'tool', name, arguments: given }
    const catalog = { ...NO_CATALOG, origin: `mcp:${server.name}` }
    const sent = await runtime.servers
      .of(contextOf({ sessionId: session }))
      .send(
        { catalog, admit, capability: name, request, repeatable },
        { signal: new AbortController().signal, timeoutMs, maxBytes },
      )
    if (!sent.ok) return `${sent.failure.problem.code}, acted: ${sent.failure.acted}`
    const { answer } = sent.reply
    if (answer.type !== 'tool') return answer.type
    return answer.isError ? `error: ${answer.text}` : (answer.data ?? answer.text)
  }
}

const NO_CATALOG = {
  id: 'notes',
  version: 1,
  aliases: [],
  entities: [],
  capabilities: [],
  unsupported: [],
  otherOrigins: [],
  auth: { scheme: 'none' },
} as const

const starts = (): readonly number[] => JSON.parse(readFileSync(file, 'utf8')).starts
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('one process answers all calls of a session', async () => {
  const call = calling(notes())
  expect(await call('add_note', { title: 'Milk', kind: 'memo' }, { repeatable: false })).toEqual({
    id: 'n1',
    title: 'Milk',
    tags: [],
  })
  expect(await call('list_notes')).toMatchObject({ total: 1 })
  expect(starts()).toHaveLength(1)
  await call('list_notes', {}, { session: 'l_other' })
  expect(starts()).toHaveLength(2)
})

test('an error of a tool is its text', async () => {
  expect(await calling(notes())('reject_note', { id: 'n9' })).toBe('error: there is no note n9')
})

test('what the server refuses was not done', async () => {
  const call = calling(notes())
  expect(await call('no_such_tool', {}, { repeatable: false })).toBe('mcp_refused, acted: no')
})

test('a call that is never answered ends in time, and the server lives on', async () => {
  const call = calling(notes())
  await call('list_notes')
  const began = Date.now()
  expect(await call('hang', {}, { timeoutMs: 300 })).toBe('mcp_no_answer, acted: unknown')
  expect(Date.now() - began).toBeLessThan(5000)
  expect(await call('list_notes')).toMatchObject({ total: 0 })
  expect(starts()).toHaveLength(1)
})

test('a server that answers nothing any more is replaced', async () => {
  const call = calling(notes())
  await call('list_notes')
  expect(await call('block', {}, { timeoutMs: 300 })).toBe('mcp_no_answer, acted: unknown')
  const [first = 0] = starts()
  await expect.poll(() => isAlive(first), { timeout: 20_000 }).toBe(false)
  expect(await call('list_notes')).toMatchObject({ total: 0 })
  expect(starts()).toHaveLength(2)
}, 40_000)

test.each(['flood', 'chatter'])(
  'a server that writes without end is ended: %s',
  async (tool) => {
    const call = calling(notes())
    await call('list_notes')
    const before = process.memoryUsage().rss
    expect(await call(tool, {}, { repeatable: false, timeoutMs: 60_000 })).toBe('mcp_ended, acted: unknown')
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 * 1024)
    const [first = 0] = starts()
    expect(isAlive(first)).toBe(false)
    expect(await call('list_notes')).toMatchObject({ total: 0 })
  },
  90_000,
)

test('an answer beyond the limit is refused, and the connection stays', async () => {
  const call = calling(notes())
  expect(await call('big', { bytes: 2_000_000 })).toBe('mcp_answer_too_large, acted: yes')
  expect(await call('big', { bytes: 20 })).toBe('y'.repeat(20))
  expect(starts()).toHaveLength(1)
})

test('large answers are parsed in a thread, and those behind them arrive', async () => {
  const call = calling(notes())
  await call('list_notes')
  let turns = 0
  const ticking = setInterval(() => turns++, 1)
  const sizes = [600_000, 20, 300_000, 900_000, 20]
  const answers = await Promise.all(sizes.map((bytes) => call('big', { bytes })))
  clearInterval(ticking)
  expect(answers).toEqual(sizes.map((bytes) => 'y'.repeat(bytes)))
  expect(turns).toBeGreaterThan(5)
  expect(starts()).toHaveLength(1)
})

test('lines that are no messages are skipped and logged', async () => {
  const call = calling(notes('noisy'))
  expect(await call('list_notes')).toMatchObject({ total: 0 })
  const output = started.events.filter(({ name }) => name === 'mcp_output').map(({ facts }) => facts)
  expect(output).toContainEqual({ server: 'notes', stream: 'stdout', line: 'Welcome to notes!' })
  expect(output).toContainEqual({ server: 'notes', stream: 'stderr', line: 'a line for the log' })
})

test('a server that ends in a read is started again, once', async () => {
  const call = calling(notes())
  expect(await call('die')).toBe('mcp_ended, acted: unknown')
  expect(starts()).toHaveLength(2)
})

test('a change whose answer is lost is unknown and never sent again', async () => {
  const call = calling(notes())
  await call('list_notes')
  expect(await call('write_and_die', {}, { repeatable: false })).toBe('mcp_ended, acted: unknown')
  expect(readFileSync(`${file}.log`, 'utf8')).toBe('written\n')
})

test('a right that ends while the server starts is not used, and that of a repeat is asked again', async () => {
  const call = calling(notes())
  const gone = failed([problem('cancelled', { what: 'the right' })])
  const untilStarted = async () => (existsSync(file) ? gone : ok(undefined))
  expect(await call('write_and_die', {}, { repeatable: false, admit: untilStarted })).toBe(
    'cancelled, acted: not_sent',
  )
  expect(starts()).toHaveLength(1)
  expect(existsSync(`${file}.log`)).toBe(false)
  let asked = 0
  const once = async () => (asked++ === 0 ? ok(undefined) : gone)
  expect(await call('die', {}, { admit: once })).toBe('mcp_ended, acted: unknown')
  expect(asked).toBe(2)
})

test('a server that cannot start is left alone for longer and longer', async () => {
  const call = calling(notes('dead'))
  expect(await call('list_notes')).toBe('mcp_not_started, acted: not_sent')
  expect(await call('list_notes')).toBe('mcp_not_started, acted: not_sent')
  expect(await call('list_notes')).toBe('mcp_resting, acted: not_sent')
})

test('a program that is not there is named', async () => {
  const start = { kind: 'stdio', command: '/no/such/program', args: [], env: {}, cwd: '/' } as const
  expect(await calling(notes('', { start }))('list_notes')).toBe('mcp_not_started, acted: not_sent')
})

test('a server that ignores polite requests is ended all the same', async () => {
  const call = calling(notes('deaf'))
  await call('list_notes')
  const [pid = 0] = starts()
  expect(isAlive(pid)).toBe(true)
  await started.runtime.shutDown()
  expect(isAlive(pid)).toBe(false)
})

test('the end of a session ends its processes', async () => {
  const call = calling(notes())
  await call('list_notes')
  await call('list_notes', {}, { session: 'l_other' })
  await started.runtime.pool.endSession('l_session')
  const [first = 0, second = 0] = starts()
  expect([isAlive(first), isAlive(second)]).toEqual([false, true])
})

test('a change of the tools is a changed catalog', async () => {
  const { runtime } = started
  const server = notes()
  await runtime.catalogs.open([server], 0)
  const names = () => {
    const [pinned] = runtime.catalogs.current().byId.values()
    return { digest: pinned?.digest, tools: pinned?.catalog.capabilities.map(({ name }) => name) ?? [] }
  }
  const before = names()
  expect(before.tools).not.toContain('added_tool')
  expect(await calling(server)('change_tools', {}, { repeatable: false })).toBe('changed')
  await expect.poll(() => names().tools).toContain('added_tool')
  expect(names().digest).not.toBe(before.digest)
})

test('a server that is down at the start is taught by its last lists', async () => {
  await started.runtime.catalogs.open([notes()], 0)
  expect(existsSync(join(started.folder, 'kept', 'notes.json'))).toBe(true)
  const next = await runtimeWith({ folder: started.folder })
  const gone = {
    kind: 'stdio',
    command: process.execPath,
    args: [NOTES, file, ''],
    env: {},
    cwd: '/',
  } as const
  await next.runtime.catalogs.open([notes('', { start: gone })], 60_000)
  expect(starts()).toHaveLength(1)
  expect([...next.runtime.catalogs.current().byId.keys()]).toEqual(['notes'])
  await next.runtime.shutDown()
})
