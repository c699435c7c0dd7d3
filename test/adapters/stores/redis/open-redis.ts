import {
  type RedisOptions,
  redisStore,
  type RedisStore,
} from '../../../../src/adapters/stores/redis/store.ts'

/** A store of the tests' deployment. */
export function openRedis(url: string, changes: Partial<RedisOptions> = {}): Promise<RedisStore> {
  return redisStore({ url, secrets: ['a secret of this test only'], isSecretShared: true, ...changes })
}
