import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import { RedisServer, whyNoRedis } from '../test/redis-server.ts'
import type { LoadClient } from './client.ts'
import { startServer, contextRequest, REPEATED, type BenchServer } from './server.ts'
import type { LatencyContest } from './latency.ts'
import type { Contest } from './measure.ts'

/** A repeated context over HTTP on SQLite, against the same on the memory store: at least four fifths of its throughput. */
export async function durableContext(client: LoadClient): Promise<Contest> {
  const [durable, memory] = [await startServer('sqlite'), await startServer('memory')]
  const [ours, base] = [durable, memory].map(({ url, token }) => contextRequest(url, token))
  if (!ours || !base) throw new Error('two servers have two addresses')
  return {
    ours: (calls) => client.send(ours, calls),
    base: (calls) => client.send(base, calls),
    bound: 1.25,
    close: async () => {
      await durable.close()
      await memory.close()
    },
  }
}

/** A repeated context in process on Redis, against one GET of a value of the same size. */
export async function redisContext(): Promise<LatencyContest | undefined> {
  if (whyNoRedis !== undefined) return undefined
  const redis = await RedisServer.start()
  const server = await startServer(redis.url)
  const client = await createClient({ url: redis.url }).connect()
  await client.set('bench', JSON.stringify(REPEATED).padEnd(RECORD_BYTES))
  return {
    ours: () => server.gateway.context(server.caller, REPEATED),
    base: () => client.get('bench'),
    bounds: { p50: 1.5 },
    close: async () => {
      client.destroy()
      await server.close()
      await redis.stop()
    },
  }
}

/** About the size of the repeated session's record. */
const RECORD_BYTES = 1024

/** A repeated context in a store with a thousand times as many sessions, while writes keep the sweeper going. */
export async function crowded(
  kind: 'memory' | 'sqlite' | 'redis',
  few: number,
): Promise<LatencyContest | undefined> {
  if (kind === 'redis' && whyNoRedis !== undefined) return undefined
  const redis = kind === 'redis' ? [await RedisServer.start(), await RedisServer.start()] : []
  const [full, empty] = [await startServer(redis[0]?.url ?? kind), await startServer(redis[1]?.url ?? kind)]
  await fill(full, few * 1000)
  await fill(empty, few)
  return {
    ours: () => full.gateway.context(full.caller, REPEATED),
    base: () => empty.gateway.context(empty.caller, REPEATED),
    meanwhile: async () => {
      await fill(full, 10)
      await fill(empty, 10)
    },
    bounds: { p50: 1.3, p99: 1.5 },
    close: async () => {
      for (const server of [full, empty]) await server.close()
      for (const one of redis) await one.stop()
    },
  }
}

/** As many as one commit takes, of principals with ten sessions each, as agents have them. */
const AT_ONCE = 250
const OF_A_PRINCIPAL = 10

/** Opens sessions of many principals, as a deployment has them. */
async function fill({ gateway, caller }: BenchServer, sessions: number): Promise<void> {
  for (let opened = 0; opened < sessions; opened += AT_ONCE) {
    const wanted = Math.min(AT_ONCE, sessions - opened)
    const callers = Array.from({ length: Math.ceil(wanted / OF_A_PRINCIPAL) }, () => {
      const principal = ['key', 'subject', randomUUID()]
      return { ...caller, principal, tenantScope: principal }
    })
    await Promise.all(
      Array.from({ length: wanted }, (_, at) =>
        gateway.context(callers[at % callers.length] ?? caller, { ...REPEATED, intent: randomUUID() }),
      ),
    )
  }
}
