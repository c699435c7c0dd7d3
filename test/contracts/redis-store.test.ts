import { afterAll, beforeAll, describe } from 'vitest'
import { redisStore } from '../../src/adapters/stores/redis/store.ts'
import { RedisServer, whyNoRedis } from '../redis-server.ts'
import { storeContract } from './store-contract.ts'

describe.skipIf(whyNoRedis)(`on a real server${whyNoRedis ? ` (${whyNoRedis})` : ''}`, () => {
  let server: RedisServer
  let opened = 0

  beforeAll(async () => {
    server = await RedisServer.start()
  })
  afterAll(() => server.stop())

  storeContract('redis', (clock) =>
    redisStore({
      url: server.url,
      secrets: ['a secret of this test only'],
      isSecretShared: true,
      prefix: `test-${opened++}`,
      clock,
    }),
  )
})
