import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cleanEnv, PLASMID } from '../plasmid-process.ts'
import { jsonOf, linesOf, SEEDS, SHOP } from '../test-server.ts'
import { startShopApi, type ShopApi } from '../shop-api.ts'

let api: ShopApi
let dir = ''
const children: ChildProcess[] = []
beforeAll(async () => {
  api = await startShopApi()
})
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plasmid-end-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await api.close()
})

const flags = () => ['--data-dir', dir, '--no-shipped', '--catalog', SHOP, '--backend', `shop=${api.url}`]

async function serve() {
  const child = spawn(process.execPath, [PLASMID, 'serve', '--port', '0', '--json', ...flags()], {
    env: cleanEnv(),
  })
  children.push(child)
  const stderr = text(child.stderr)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url }: { readonly url: string } = JSON.parse(String(line))
  const token = (await readFile(join(dir, 'token'), 'utf8')).trim()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  return { child, stderr, post }
}

const DELETION = { program: 'e1("c1").delete()', plan: 'pc1' }

test('effects in flight end and are recorded before the exit', async () => {
  const server = await serve()
  await server.post('/v1/contexts', { intent: 'x', seeds: SEEDS })
  await server.post('/v1/contexts/s0/plan', { program: DELETION.program })
  const reads = Array.from({ length: 5 }, () => server.post('/v1/contexts/s0/run', { program: 'e1[id]' }))
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  api.hang = true
  const hanging = api.hanging()
  const run = server.post('/v1/contexts/s0/run', DELETION)
  await hanging
  server.child.kill('SIGTERM')
  api.release()
  expect(await jsonOf(await run)).toMatchObject({ effects: [{ state: 'done' }] })
  expect(await once(server.child, 'exit')).toEqual([0, null])
  const log = (await server.stderr).split('\n').filter((line) => line.startsWith('{'))
  expect(linesOf(log.join('\n')).slice(-3)).toMatchObject([
    { msg: 'api_call', capability: 'customer_delete', effect: true, status: 204 },
    { msg: 'effect', capability: 'customer_delete', state: 'done' },
    { msg: 'request', request: 'run', effects: 1, ok: true },
  ])

  const deletions = () => api.requests.filter((request) => request.startsWith('DELETE')).length
  const before = deletions()
  const next = await serve()
  expect(await jsonOf(await next.post('/v1/contexts/s0/run', DELETION))).toMatchObject({
    effects: [{ state: 'done' }],
  })
  expect(deletions()).toBe(before)
  next.child.kill('SIGTERM')
  expect(await once(next.child, 'exit')).toEqual([0, null])
}, 120_000)

test('a terminal that closes drains the server', async () => {
  const server = await serve()
  await server.post('/v1/contexts', { intent: 'x', seeds: SEEDS })
  api.hang = true
  const hanging = api.hanging()
  const run = server.post('/v1/contexts/s0/run', { program: 'e1[id]' })
  await hanging
  const ending = once(server.child.stderr, 'data')
  server.child.kill('SIGHUP')
  await ending
  server.child.kill('SIGHUP')
  api.release()
  expect((await run).status).toBe(200)
  expect(await once(server.child, 'exit')).toEqual([0, null])
}, 120_000)

test('a second signal ends the process at once', async () => {
  const server = await serve()
  await server.post('/v1/contexts', { intent: 'x', seeds: SEEDS })
  api.hang = true
  const hanging = api.hanging()
  const run = server.post('/v1/contexts/s0/run', { program: 'e1[id]' }).catch(() => 'cut off')
  await hanging
  const ending = once(server.child.stderr, 'data')
  server.child.kill('SIGTERM')
  await ending
  server.child.kill('SIGTERM')
  expect(await once(server.child, 'exit')).toEqual([130, null])
  expect(await run).toBe('cut off')
  api.release()
}, 120_000)

test('MCP over standard input ends as well', async () => {
  const child = spawn(process.execPath, [PLASMID, 'mcp', ...flags()], { env: cleanEnv() })
  children.push(child)
  const stderr = text(child.stderr)
  const lines = createInterface({ input: child.stdout })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let id = 0
  const call = async (method: string, params: object) => {
    const answered = once(lines, 'line')
    send({ id: ++id, method, params })
    return String((await answered)[0])
  }
  const tool = (name: string, args: object) => call('tools/call', { name, arguments: args })
  const clientInfo = { name: 'test', version: '1' }
  await call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  await tool('plasm_context', { intent: 'x', seeds: SEEDS })
  const session = { logical_session_ref: 's0' }
  expect(await tool('plasm', { ...session, program: DELETION.program })).toContain('pc1')
  api.hang = true
  const hanging = api.hanging()
  send({
    id: ++id,
    method: 'tools/call',
    params: { name: 'plasm_run', arguments: { ...session, ...DELETION } },
  })
  await hanging
  child.kill('SIGTERM')
  const [exited, answered] = [once(child, 'exit'), once(lines, 'line')]
  api.release()
  expect(JSON.parse(String((await answered)[0]))).toMatchObject({
    id,
    result: { content: [{ text: expect.stringContaining('1 done') }] },
  })
  expect([await exited, await stderr]).toEqual([[0, null], ''])
  const next = await serve()
  expect(await jsonOf(await next.post('/v1/contexts/s0/run', DELETION))).toMatchObject({
    effects: [{ state: 'done' }],
  })
  next.child.kill('SIGTERM')
  await once(next.child, 'exit')
}, 120_000)
