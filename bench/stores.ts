import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import { RedisServer, whyNoRedis } from '../test/redis-server.ts'
import type { LoadClient } from './client.ts'
import { build, contextShot, REPEATED, type House } from './house.ts'
import type { Race } from './latency.ts'
import type { Contest } from './measure.ts'

/** A repeated context over HTTP on SQLite, against the same on the memory store: four fifths of its throughput at least. */
export async function durableContext(client: LoadClient): Promise<Contest> {
  const [durable, memory] = [await build('sqlite'), await build('memory')]
  const [ours, base] = [durable, memory].map(({ url, token }) => contextShot(url, token))
  if (!ours || !base) throw new Error('two houses have two addresses')
  return {
    name: 'context over HTTP, SQLite / memory',
    store: 'sqlite',
    ours: (calls) => client.fire(ours, calls),
    base: (calls) => client.fire(base, calls),
    bound: 1.25,
    close: async () => {
      await durable.close()
      await memory.close()
    },
  }
}

/** A repeated context in process on Redis, against the least that could ask it: one GET of a value as large. */
export async function redisContext(): Promise<Race | undefined> {
  if (whyNoRedis !== undefined) return undefined
  const server = await RedisServer.start()
  const house = await build(server.url)
  const client = await createClient({ url: server.url }).connect()
  await client.set('bench', JSON.stringify(REPEATED).padEnd(RECORD_BYTES))
  return {
    name: 'context in process / GET',
    store: 'redis',
    ours: () => house.gateway.context(house.caller, REPEATED),
    base: () => client.get('bench'),
    bounds: { p50: 1.5 },
    close: async () => {
      client.destroy()
      await house.close()
      await server.stop()
    },
  }
}

/** About what the record of the repeated session takes. */
const RECORD_BYTES = 1024

/** The same beside a thousand times as many stored sessions, while writes keep the sweeper going. */
export async function crowded(kind: 'memory' | 'sqlite' | 'redis', few: number): Promise<Race | undefined> {
  if (kind === 'redis' && whyNoRedis !== undefined) return undefined
  const servers = kind === 'redis' ? [await RedisServer.start(), await RedisServer.start()] : []
  const [full, empty] = [await build(servers[0]?.url ?? kind), await build(servers[1]?.url ?? kind)]
  await fill(full, few * 1000)
  await fill(empty, few)
  return {
    name: `context in process, ${few * 1000} sessions / ${few}`,
    store: kind,
    ours: () => full.gateway.context(full.caller, REPEATED),
    base: () => empty.gateway.context(empty.caller, REPEATED),
    meanwhile: async () => {
      await fill(full, 10)
      await fill(empty, 10)
    },
    bounds: { p50: 1.3, p99: 1.5 },
    close: async () => {
      for (const house of [full, empty]) await house.close()
      for (const server of servers) await server.stop()
    },
  }
}

/** As many as share one commit. */
const AT_ONCE = 256

/** Sessions of many principals, as a deployment has them. */
async function fill({ gateway, caller }: House, sessions: number): Promise<void> {
  for (let opened = 0; opened < sessions; opened += AT_ONCE) {
    const principal = ['key', 'subject', randomUUID()]
    const other = { ...caller, principal, tenantScope: principal }
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, sessions - opened) }, () =>
        gateway.context(other, { ...REPEATED, intent: randomUUID() }),
      ),
    )
  }
}
