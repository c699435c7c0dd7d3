import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { AcpBench, type AcpAgent } from './driver.ts'

const ENVIRONMENT = fileURLToPath(new URL('../../fixtures/mcp/environment.mjs', import.meta.url))
const HOSTILE = fileURLToPath(new URL('../../fixtures/mcp/hostile-server.mjs', import.meta.url))

let bench: AcpBench
let agent: AcpAgent
beforeAll(async () => {
  bench = await AcpBench.open()
  // Short values, so that the whole environment of a server fits into a cell.
  agent = await bench.startProcess({
    PATH: '/bin',
    HOME: '/',
    SHELL: '/s',
    LANG: 'C',
    TERM: 't',
    OF_AGENT: 'secret',
  })
})
afterEach(() => bench.check())
afterAll(() => bench.close())

/** The test server that tells its environment, as a client writes it. */
function server(name: string, env: Record<string, string> = {}, args: readonly string[] = []) {
  const pairs = Object.entries(env).map(([key, value]) => ({ name: key, value }))
  return { name, command: process.execPath, args: [ENVIRONMENT, ...args], env: pairs }
}

/** What the server of a session tells. */
async function environment(by: AcpAgent, id: string, symbol = 'e1') {
  const said = await by.ask(id, `${symbol}.environment(note="x")`)
  const field = (name: string) => new RegExp(`"${name}":"?([^",}]*)`).exec(said)?.[1]
  return { said, field, pid: Number(field('pid')) }
}

async function isAlive(pid: number): Promise<boolean> {
  return readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !stat.includes(') Z '),
    () => false,
  )
}

test('A9 A41 A46 A47 a server gets its own variables and the session, never those of the agent', async () => {
  const env = { OWN: 'a=b c', PLASMID_SESSION_ID: 'forged' }
  const id = await agent.open(bench.cwd, { mcpServers: [server('env srv', env)] })
  expect(await agent.ask(id, '/discover environment')).toContain('env-srv\tTools')
  await agent.ask(id, '/context env-srv:Tools')
  const { said, field } = await environment(agent, id)
  expect(field('cwd')).toBe(bench.cwd)
  expect(field('OWN')).toBe('a=b c')
  expect(field('PLASMID_SESSION_ID')).toMatch(/^l_[\w-]{22}$/)
  expect(said).not.toContain('forged')
  expect(said).not.toContain('OF_AGENT')
}, 60_000)

test('A17 A18 servers of the same name belong to their sessions alone', async () => {
  const [one, two] = await Promise.all([
    agent.open(bench.cwd, { mcpServers: [server('same', { OWN: 'one' })] }),
    agent.open(bench.cwd, { mcpServers: [server('same', { OWN: 'two' }), server('extra')] }),
  ])
  await Promise.all([
    agent.ask(one, '/context same:Tools'),
    agent.ask(two, '/context same:Tools extra:Tools'),
  ])
  const [first, second] = [await environment(agent, one), await environment(agent, two, 'e2')]
  expect([first.field('OWN'), second.field('OWN')]).toEqual(['one', 'two'])
  expect(first.pid).not.toBe(second.pid)
  expect(first.field('PLASMID_SESSION_ID')).not.toBe(second.field('PLASMID_SESSION_ID'))
  expect(await agent.ask(one, '/context extra:Tools')).toContain('unknown_api')
  await agent.request('session/close', { sessionId: two })
  await expect.poll(() => isAlive(second.pid)).toBe(false)
  expect((await environment(agent, one)).pid).toBe(first.pid)
}, 60_000)

test('A35 A36 A48 load and resume start the servers of the request, with its variables', async () => {
  const id = await agent.open(bench.cwd, { mcpServers: [server('srv', { OWN: 'old' })] })
  await agent.ask(id, '/context srv:Tools')
  const old = await environment(agent, id)
  const params = { sessionId: id, cwd: bench.cwd }
  await agent.request('session/load', { ...params, mcpServers: [server('srv', { OWN: 'new' })] })
  expect((await environment(agent, id)).field('OWN')).toBe('new')
  await expect.poll(() => isAlive(old.pid)).toBe(false)
  await agent.request('session/resume', params)
  expect((await environment(agent, id)).said).toContain('catalog_gone')
  await agent.request('session/resume', { ...params, mcpServers: [server('srv', { OWN: 'third' })] })
  expect((await environment(agent, id)).field('OWN')).toBe('third')
}, 60_000)

test('A42 A43 servers that are gone or hang do not keep a session from answering', async () => {
  const began = performance.now()
  const id = await agent.open(bench.cwd, {
    mcpServers: [
      { name: 'gone', command: '/no/such/program', args: [], env: [] },
      { name: 'mute', command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: [] },
      server('well'),
    ],
  })
  expect(performance.now() - began).toBeLessThan(15_000)
  const said = await agent.ask(id, '/context well:Tools')
  expect(said).toContain('The MCP server `gone` could not be started')
  expect(said).toContain('The MCP server `mute` does not answer yet.')
  expect(said).toContain('e1.environment')
  expect(await agent.ask(id, '/context gone:Tools')).toContain('unknown_api')
  await agent.request('session/close', { sessionId: id })
}, 60_000)

test('A44 A45 kinds that are not announced and names given twice start nothing', async () => {
  const sse = { type: 'sse', name: 'old', url: 'http://127.0.0.1:9/sse', headers: [] }
  for (const [mcpServers, code] of [
    [[server('a'), sse], 'server_kind_unsupported'],
    [[server('a'), server('a')], 'server_name_twice'],
  ] as const) {
    const { error } = await agent.request('session/new', { cwd: bench.cwd, mcpServers })
    expect([error?.code, error?.data]).toMatchObject([-32602, { code }])
    expect(error?.message).toMatch(/"old"|"a"/)
  }
})

test('A44 a server over HTTP is called with its headers', async () => {
  const seen: (string | undefined)[] = []
  const web = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(500).end()
  }).listen(0, '127.0.0.1')
  await once(web, 'listening')
  const address = web.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const headers = [{ name: 'Authorization', value: 'Bearer t0ken' }]
  const web1 = { type: 'http', name: 'web', url: `http://127.0.0.1:${port}/mcp`, headers }
  const id = await agent.open(bench.cwd, { mcpServers: [web1] })
  expect(seen).toContain('Bearer t0ken')
  expect(await agent.ask(id, '/help')).toContain('The MCP server `web`')
  web.close()
}, 60_000)

test('A49 a server that dies in mid-session is started again', async () => {
  const id = await agent.open(bench.cwd, { mcpServers: [server('frail')] })
  await agent.ask(id, '/context frail:Tools')
  const { pid } = await environment(agent, id)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => isAlive(pid)).toBe(false)
  await expect.poll(async () => (await environment(agent, id)).pid, { timeout: 20_000 }).not.toBeNaN()
  expect(await agent.ask(id, '/sleep 0')).toBe('Slept 0 s.')
}, 60_000)

test('A18 A49 a server that floods is ended, and another session and its server go on', async () => {
  const flood = { name: 'flood', command: process.execPath, args: [HOSTILE], env: [] }
  const [harmed, other] = await Promise.all([
    agent.open(bench.cwd, { mcpServers: [flood] }),
    agent.open(bench.cwd, { mcpServers: [server('well')] }),
  ])
  await agent.ask(harmed, '/context flood:Tools')
  await agent.ask(other, '/context well:Tools')
  const { pid } = await environment(agent, other)
  const [said, beside] = await Promise.all([
    agent.ask(harmed, 'e1.put(how="endless notifications")'),
    environment(agent, other),
  ])
  expect(said).toContain('it wrote more than 10000 messages that are no answer')
  expect(said).toContain('1 unknown')
  expect(beside.pid).toBe(pid)
  expect(await agent.ask(harmed, '/sleep 0')).toBe('Slept 0 s.')
}, 60_000)

test('A50 variables and headers of servers are in no store', async () => {
  const id = await agent.open(bench.cwd, { mcpServers: [server('srv', { TOKEN: 'hunter2hunter2' })] })
  await agent.ask(id, '/discover environment')
  await agent.request('session/close', { sessionId: id })
  for (const file of ['plasmid.db', 'plasmid.db-wal'])
    expect((await readFile(join(bench.dir, 'data', file))).includes('hunter2hunter2')).toBe(false)
  expect(agent.stderr).not.toContain('hunter2hunter2')
}, 60_000)

test('A61 neither the end of the input nor a kill leaves a server behind', async () => {
  for (const end of ['end', 'kill'] as const) {
    const own = await bench.startProcess({ PATH: '/bin', HOME: '/', SHELL: '/s', LANG: 'C', TERM: 't' })
    const id = await own.open(bench.cwd, { mcpServers: [server('srv')] })
    await own.ask(id, '/context srv:Tools')
    const { pid } = await environment(own, id)
    expect(await isAlive(pid)).toBe(true)
    await own[end]()
    await expect.poll(() => isAlive(pid)).toBe(false)
  }
}, 90_000)
