import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { address, ALICE, opened } from '../../../contracts/store-fixtures.ts'
import { RedisServer, whyNoRedis } from '../../../redis-server.ts'
import { openRedis } from './open-redis.ts'
import { Proxy } from './proxy.ts'

describe.skipIf(whyNoRedis)('a store that was emptied', () => {
  let redis: RedisServer
  beforeAll(async () => void (redis = await RedisServer.start()))
  afterAll(() => redis.stop())

  test('gives no old name to any of many concurrent calls', async () => {
    const proxy = await Proxy.to(redis.port)
    const store = await openRedis(proxy.url)
    const open = (name: string) => {
      const record = opened(address(name), Date.now())
      // The first wave skips the numbers that a lost session may have used.
      const waves = record.waves.map((wave) => ({ ...wave, skip: 1000 }))
      return store.commit(ALICE, null, { ...record, waves })
    }
    for (let index = 0; index < 5; index++) await open(`before ${index}`)
    await redis.command('FLUSHALL')
    proxy.reset()
    proxy.delayMs = 50
    const first = open('after 0')
    while (!proxy.requests.includes('_meet\r\n')) await turn()
    // Before the first hears which life of the store this is, the others ask it for numbers of the one that it knew.
    const others = Array.from({ length: 39 }, (_, index) => open(`after ${index + 1}`))
    const answers = await Promise.all([first, ...others])
    await store.shutDown()
    await proxy.close()
    const ordinals = answers.map((answer) => (answer.committed ? answer.ordinal : -1))
    expect(Math.min(...ordinals)).toBeGreaterThanOrEqual(1000)
    expect(new Set(ordinals).size).toBe(40)
  })
})

function turn(): Promise<void> {
  return new Promise((done) => void setImmediate(done))
}
