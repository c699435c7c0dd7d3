import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { address, ALICE, opened } from '../../../contracts/store-fixtures.ts'
import { RedisServer, whyNoRedis } from '../../../redis-server.ts'
import { openRedis } from './open-redis.ts'

describe.skipIf(whyNoRedis)('a store that was emptied', () => {
  let redis: RedisServer
  beforeAll(async () => void (redis = await RedisServer.start()))
  afterAll(() => redis.stop())

  test('gives no old name to any of many at once', async () => {
    const store = await openRedis(redis.url)
    const open = (name: string) => store.commit(ALICE, null, opened(address(name), Date.now()))
    for (let index = 0; index < 5; index++) await open(`before ${index}`)
    await redis.command('FLUSHALL')
    // One is on its way when another finds out, and one begins later still.
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        for (let turn = 0; turn < index; turn++) await new Promise((done) => void setImmediate(done))
        return open(`after ${index}`)
      }),
    )
    await store.shutDown()
    const ordinals = answers.map((answer) => (answer.committed ? answer.ordinal : -1))
    expect(Math.min(...ordinals)).toBeGreaterThanOrEqual(1000)
    expect(new Set(ordinals).size).toBe(40)
  })
})
