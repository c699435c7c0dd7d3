import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endWithUs } from '../end-with-us.ts'
import { startAuthTestServer, type AuthTestServer } from '../surfaces/auth-test-server.ts'
import { SEEDS } from '../surfaces/test-server.ts'

/* A call waits for a connection, since the API accepts none for a while. What is taken away meanwhile is not used. */

/** An API in a process of its own that prints the method of each request, and closes each connection after its answer. */
const API = `
const { createServer } = require('node:http')
const body = JSON.stringify({ customers: [{ id: 'c1', name: 'x' }] })
const server = createServer((request, response) => {
  console.log(request.method)
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(body)
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))
`

let api: ChildProcess
let port = 0
const requests: string[] = []
const held: Socket[] = []
let server: AuthTestServer

beforeAll(async () => {
  api = spawn(process.execPath, ['-e', API], { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithUs(api)
  if (!api.stdout) throw new Error('no output')
  const lines = createInterface({ input: api.stdout })
  const [first] = await once(lines, 'line')
  port = Number(first)
  lines.on('line', (line) => requests.push(line))
  const origin = `http://127.0.0.1:${port}`
  const backends = { shop: `${origin}/v1` }
  // Three seconds between the read and the write: time to stop the API, also where this process stands still for one.
  const rates = { [origin]: '20/m' }
  server = await startAuthTestServer({ auth: 'required', backends, effects: { '*': 'allow' }, rates })
})
afterAll(async () => {
  for (const socket of held) socket.destroy()
  api.kill('SIGKILL')
  await server.close()
})

/** The API accepts nothing more: it stands still, and others wait in its queue. */
async function stop(): Promise<void> {
  api.kill('SIGSTOP')
  for (let one = 0; one < 4; one++) held.push(connect(port, '127.0.0.1').on('error', () => undefined))
  await expect.poll(() => held.filter(({ connecting }) => !connecting).length).toBeGreaterThan(1)
}

/** Connections to the API that the system has asked for and the API has not taken: state 02 is SYN_SENT. */
async function waiting(): Promise<number> {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  return lines.filter(([, , to, state]) => to?.endsWith(remote) && state === '02').length
}

/** The write has its turn after three seconds, and waits for a connection beside those that `stop` holds. */
async function writeWaits(): Promise<void> {
  const ours = held.filter(({ connecting }) => connecting).length
  await expect.poll(waiting).toBeGreaterThan(ours)
}

function resume(): void {
  for (const socket of held.splice(0)) socket.destroy()
  api.kill('SIGCONT')
}

const why = process.platform === 'linux' ? '' : ' (the state of connections is read from /proc)'

describe.skipIf(why)(`an API that accepts no connection${why}`, () => {
  test('a write that waits for a connection is not sent with a key that was revoked', async () => {
    const key = await server.keyOf('connecting')
    await server.send(key, 'POST', '/v1/contexts', { intent: 'connecting', seeds: SEEDS })
    const program = 'rows = e1.limit(1)\nrows => _.delete()'
    const answer = server.send(key, 'POST', '/v1/contexts/s0/run', { program })
    await expect.poll(() => requests).toEqual(['GET'])
    await stop()
    await writeWaits()
    await rm(join(server.dataDir, 'keys', `${key.split('_')[1] ?? ''}.json`))
    resume()
    expect(await (await answer).text()).toContain('credential_revoked')
    expect(requests).toEqual(['GET'])
  }, 60_000)

  test('a write whose rights hold is sent over the connection that it waited for', async () => {
    requests.splice(0)
    const key = await server.keyOf('connected')
    await server.send(key, 'POST', '/v1/contexts', { intent: 'connected', seeds: SEEDS })
    const program = 'rows = e1.limit(1)\nrows => _.delete()'
    const answer = server.send(key, 'POST', '/v1/contexts/s0/run', { program })
    await expect.poll(() => requests).toEqual(['GET'])
    await stop()
    await writeWaits()
    resume()
    expect(await (await answer).text()).toContain('"done"')
    expect(requests).toEqual(['GET', 'DELETE'])
  }, 60_000)
})
