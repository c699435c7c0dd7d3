import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RedisServer, whyNoRedis } from '../redis-server.ts'
import { type DepotApi, startDepotApi } from './depot-api.ts'
import { GOODS, writeDepot } from './depots.ts'
import { Reader } from './reader.ts'
import { ServeProcess, stdioTalk, type Setup, type Talk } from './servers.ts'

/* One session on every surface and in several processes, one after another: one ref and one symbol space throughout. */

const INTENT = 'Count what stands in the north depot'
let folder = ''
let api: DepotApi
let catalogs: readonly string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-one-'))
  api = await startDepotApi()
  catalogs = [await writeDepot(join(folder, 'catalogs'), { id: 'north', edition: 1, origin: api.origin })]
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

/** What the one conversation has seen so far, from whichever process. */
class Conversation {
  readonly reader = new Reader()
  #next = 0

  /** Adds an entity by MCP, and runs what the symbol is said to mean. */
  async over(talk: Talk): Promise<void> {
    const told = await talk.call('plasm_context', { intent: INTENT, seeds: [this.#seed()] })
    const run = await talk.call('plasm_run', this.#read(told.text))
    expect(run.text, told.text).toContain('(5 rows)')
    await talk.leave()
  }

  /** The same by the HTTP API. */
  async overHttp(server: ServeProcess): Promise<void> {
    const answer = await server.http('POST', '/v1/contexts', { intent: INTENT, seeds: [this.#seed()] })
    expect(answer.status).toBe(this.#next === 1 ? 201 : 200)
    const { text }: { readonly text: string } = JSON.parse(answer.text)
    const { logical_session_ref: ref, program } = this.#read(text)
    const run = await server.http('POST', `/v1/contexts/${ref}/run`, { program })
    expect(run.text).toContain('k5')
  }

  #seed() {
    return { api: 'north', entity: GOODS[this.#next++ % GOODS.length] }
  }

  #read(text: string) {
    this.reader.read(text)
    expect(this.reader.ref).toBe('s0')
    expect(this.reader.discards).toBe(0)
    expect([...this.reader.meanings()]).toEqual(
      GOODS.slice(0, this.#next).map((good, index) => [`e${index + 1}`, `${good}: north ${good} edition 1`]),
    )
    return { logical_session_ref: 's0', program: `e${this.#next}[id]` }
  }
}

/** stdio, modern HTTP, legacy HTTP, the HTTP API; then a restart, and the same again. */
async function wander(first: Setup, second: Setup): Promise<void> {
  const conversation = new Conversation()
  await conversation.over(await stdioTalk(first))
  const server = await ServeProcess.start(first)
  await conversation.over(await server.mcp('auto'))
  await conversation.over(await server.mcp('legacy'))
  await conversation.overHttp(server)
  await server.kill()
  const again = await ServeProcess.start(second)
  await conversation.overHttp(again)
  await conversation.over(await again.mcp('legacy'))
  await conversation.over(await again.mcp('auto'))
  await again.kill('SIGTERM')
  await conversation.over(await stdioTalk(first))
  expect(conversation.reader.have()).toBe('e8')
}

describe('one session on every surface', { timeout: 120_000 }, () => {
  test('lives across a restart on SQLite', async () => {
    const setup = { dataDir: join(folder, 'sqlite'), catalogs }
    await wander(setup, setup)
  })

  test.skipIf(whyNoRedis)('lives on another node of Redis', async () => {
    const redis = await RedisServer.start()
    const env = { PLASMID_SECRET: 'nightly-secret-that-every-node-is-given' }
    const node = (name: string): Setup => ({
      dataDir: join(folder, name),
      catalogs,
      flags: ['--store', redis.url],
      env,
    })
    try {
      await wander(node('here'), node('there'))
    } finally {
      await redis.stop()
    }
  })
})
