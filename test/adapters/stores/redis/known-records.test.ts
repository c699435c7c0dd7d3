import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RedisStore } from '../../../../src/adapters/stores/redis/store.ts'
import { address, ALICE, BOB, extended, HOUR, MONTH, opened } from '../../../contracts/store-fixtures.ts'
import { RedisServer, whyNoRedis } from '../../../redis-server.ts'
import { openRedis } from './open-redis.ts'

const A = address('A')

describe.skipIf(whyNoRedis)(`a node that knows a record${whyNoRedis ? ` (${whyNoRedis})` : ''}`, () => {
  let server: RedisServer
  let nodes: readonly [RedisStore, RedisStore]
  let now = 0

  beforeAll(async () => {
    server = await RedisServer.start()
  })
  beforeEach(async () => {
    await server.command('FLUSHALL')
    nodes = [await openRedis(server.url), await openRedis(server.url)]
    now = (await nodes[0].findByAddress(ALICE, A)).now
    return () => Promise.all(nodes.map((node) => node.shutDown()))
  })
  afterAll(() => server.stop())

  test('gets the same object for as long as nothing changes', async () => {
    const [knowing] = nodes
    await knowing.commit(ALICE, null, opened(A, now))
    const { record } = await knowing.findByAddress(ALICE, A)
    expect((await knowing.findByAddress(ALICE, A)).record).toBe(record)
    expect(Object.isFrozen(record)).toBe(true)
  })

  test('sees what another node commits, touches, delivers and closes', async () => {
    const [knowing, other] = nodes
    const record = opened(A, now)
    await knowing.commit(ALICE, null, record)
    await knowing.findByAddress(ALICE, A)

    const next = extended(record, 'c2')
    await other.commit(ALICE, record, next)
    expect(await knowing.findByAddress(ALICE, A)).toMatchObject({ record: next, delivered: 0 })

    await other.touch(A, next.row.generation, now + 2 * HOUR, now + 2 * MONTH)
    await other.markDelivered(ALICE, A, 2)
    expect(await knowing.findByAddress(ALICE, A)).toMatchObject({
      record: { ...next, row: { ...next.row, expiresAt: now + 2 * HOUR }, expiresAt: now + 2 * MONTH },
      delivered: 2,
    })

    await other.close(ALICE, A)
    expect((await knowing.findByAddress(ALICE, A)).record).toBeNull()
  })

  test('reveals nothing of it to principals without a name', async () => {
    const [knowing] = nodes
    await knowing.commit(ALICE, null, opened(A, now))
    await knowing.findByAddress(ALICE, A)
    const [foreign, unknown] = [
      await knowing.findByRef(BOB, { address: A }),
      await knowing.findByRef(BOB, { address: address('unknown') }),
    ]
    expect({ ...foreign, now: 0 }).toEqual({ ...unknown, now: 0 })
  })
})
