import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RedisStore } from '../../../../src/adapters/stores/redis/store.ts'
import { address, ALICE, BOB, catalog, extended, opened } from '../../../contracts/store-fixtures.ts'
import { RedisServer, whyNoRedis } from '../../../redis-server.ts'
import { openRedis } from './open-redis.ts'

const A = address('A')

describe.skipIf(whyNoRedis)(`nodes on one Redis${whyNoRedis ? ` (${whyNoRedis})` : ''}`, () => {
  let server: RedisServer

  beforeAll(async () => {
    server = await RedisServer.start()
  })
  beforeEach(() => server.command('FLUSHALL'))
  afterAll(() => server.stop())

  async function together(
    count: number,
    work: (stores: readonly RedisStore[]) => Promise<void>,
  ): Promise<void> {
    const stores = await Promise.all(Array.from({ length: count }, () => openRedis(server.url)))
    try {
      await work(stores)
    } finally {
      await Promise.all(stores.map((store) => store.shutDown()))
    }
  }

  test('three nodes share sessions and names', () =>
    together(3, async ([one, two, three]) => {
      if (!one || !two || !three) throw new Error('wanted three')
      const first = opened(A, (await one.findByAddress(ALICE, A)).now)
      await one.keepModel('d1', catalog('github'))
      await one.commit(ALICE, null, first)
      expect((await two.findByRef(ALICE, { ordinal: 0 })).record).toEqual(first)
      expect(await three.model('d1')).toEqual(catalog('github'))
      expect(await three.close(ALICE, A)).toBe(true)
      expect((await one.findByRef(ALICE, { ordinal: 0 })).record).toBeNull()
      expect(await two.commit(ALICE, null, first)).toEqual({ committed: true, ordinal: 1 })
      expect((await one.findByRef(ALICE, { ordinal: 0 })).record).toBeNull()
    }))

  test('what was delivered to a principal is known on every node', () =>
    together(2, async ([one, two]) => {
      if (!one || !two) throw new Error('wanted two')
      const first = opened(A, 0, far)
      await one.markDelivered(ALICE, A, 1)
      await one.commit(ALICE, null, first)
      expect((await two.findByAddress(ALICE, A)).delivered).toBe(0)
      await one.markDelivered(ALICE, A, 2)
      await one.markDelivered(ALICE, A, 1)
      await one.markDelivered(BOB, A, 3)
      expect((await two.findByAddress(ALICE, A)).delivered).toBe(2)
      expect((await two.findByAddress(BOB, A)).delivered).toBe(0)
      await two.commit(BOB, first, extended(first, 'bob joins'))
      await two.close(ALICE, A)
      expect(await one.findByAddress(ALICE, A)).toMatchObject({ ordinal: null, delivered: 0 })
    }))

  test('of three nodes that open one session, one is first', () =>
    together(3, async (stores) => {
      const rivals = stores.flatMap((store, node) =>
        Array.from({ length: 8 }, (_, index) => ({
          store,
          record: opened(A, 0, { ...far, commit: `${node}:${index}` }),
        })),
      )
      const answers = await Promise.all(rivals.map(({ store, record }) => store.commit(ALICE, null, record)))
      const winner = rivals[answers.findIndex((answer) => answer.committed)]?.record
      expect(answers.filter((answer) => answer.committed)).toEqual([{ committed: true, ordinal: 0 }])
      expect(answers.flatMap((answer) => (answer.committed ? [] : [answer.current]))).toEqual(
        Array.from({ length: 23 }, () => winner),
      )
    }))

  test('concurrent extensions of three nodes all succeed', () =>
    together(3, async (stores) => {
      await stores[0]?.commit(ALICE, null, opened(A, 0, far))
      await Promise.all(
        Array.from({ length: 24 }, async (_, index) => {
          const store = stores[index % 3]
          let current = (await store?.findByAddress(ALICE, A))?.record ?? null
          for (;;) {
            if (!store || !current) throw new Error('the record is gone')
            const answer = await store.commit(
              ALICE,
              current,
              extended(current, `by ${index}`, `Entity${index}`),
            )
            if (answer.committed) return
            current = answer.current
          }
        }),
      )
      const final = (await stores[1]?.findByAddress(ALICE, A))?.record
      expect(final?.revision).toBe(25)
      expect(new Set(final?.waves.map((wave) => wave.picks[0]?.entities[0])).size).toBe(25)
    }))

  test('two prefixes on one server are isolated', async () => {
    const one = await openRedis(server.url, { prefix: 'one' })
    const two = await openRedis(server.url, { prefix: 'two', secrets: ['a secret of another deployment'] })
    const record = opened(A, 0, far)
    await one.commit(ALICE, null, record)
    await one.keepModel('d1', catalog('github'))
    expect((await two.findByAddress(ALICE, A)).record).toBeNull()
    expect((await two.findByRef(ALICE, { ordinal: 0 })).record).toBeNull()
    expect(await two.model('d1')).toBeNull()
    expect(await two.commit(ALICE, null, record)).toEqual({ committed: true, ordinal: 0 })
    await one.shutDown()
    await two.shutDown()
  })

  test('another secret is refused, nothing is changed', async () => {
    await (await openRedis(server.url)).shutDown()
    const keys = await server.keys('*')
    await expect(openRedis(server.url, { secrets: ['another secret'] })).rejects.toMatchObject({
      problem: { code: 'store_secret_differs', message: expect.stringContaining(`127.0.0.1:${server.port}`) },
    })
    expect(await server.keys('*')).toEqual(keys)
  })

  test('after a rotation, data of the old secret is found', async () => {
    const old = await openRedis(server.url, { secrets: ['old'] })
    await old.commit(ALICE, null, opened(A, 0, far))
    // Who only looks changes nothing.
    await (await openRedis(server.url, { secrets: ['new', 'old'], onlyLooks: true })).shutDown()
    await (await openRedis(server.url, { secrets: ['old'] })).shutDown()
    const changed = await openRedis(server.url, { secrets: ['new', 'old'] })
    expect(await changed.findByRef(ALICE, { ordinal: 0 })).toMatchObject({
      ordinal: 0,
      record: { address: A },
    })
    // Nodes that were not restarted yet go on; none starts again without the new secret.
    expect(await old.close(ALICE, A)).toBe(true)
    expect((await changed.findByRef(ALICE, { ordinal: 0 })).record).toBeNull()
    await expect(openRedis(server.url, { secrets: ['old'] })).rejects.toMatchObject({
      problem: { code: 'store_secret_differs' },
    })
    await (await openRedis(server.url, { secrets: ['new'] })).shutDown()
    await (await openRedis(server.url, { secrets: ['old', 'new'] })).shutDown()
    await old.shutDown()
    await changed.shutDown()
  })

  test('a secret of one machine is refused', async () => {
    await expect(openRedis(server.url, { isSecretShared: false })).rejects.toMatchObject({
      problem: { code: 'store_needs_secret', next: 'Set PLASMID_SECRET to the same value on every node.' },
    })
  })

  test('a prefix that would move keys is refused', async () => {
    for (const prefix of ['a{b}', 'a:b', ' ', 'ä', 'x'.repeat(33)]) {
      await expect(openRedis(server.url, { prefix })).rejects.toMatchObject({
        problem: { code: 'store_unfit' },
      })
    }
  })

  test('a server that evicts is refused', async () => {
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    await expect(openRedis(server.url)).rejects.toMatchObject({
      problem: { code: 'store_unfit', next: 'Set maxmemory-policy noeviction on the Redis server.' },
    })
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
  })

  test('a replica is refused', async () => {
    await server.command('REPLICAOF', '127.0.0.1', '1')
    await expect(openRedis(server.url)).rejects.toMatchObject({
      problem: { code: 'store_unfit', next: 'Use the primary.' },
    })
    await server.command('REPLICAOF', 'NO', 'ONE')
  })

  test('a server without a log causes a warning', async () => {
    const store = await openRedis(server.url)
    expect(store.warnings.map(({ code }) => code)).toEqual(['store_forgetful'])
    await store.shutDown()
    await server.command('CONFIG', 'SET', 'appendonly', 'yes')
    const safe = await openRedis(server.url)
    expect(safe.warnings).toEqual([])
    await safe.shutDown()
    await server.command('CONFIG', 'SET', 'appendonly', 'no')
  })

  test('a newer layout is left alone', async () => {
    await (await openRedis(server.url)).shutDown()
    await server.command('HSET', 'plasmid:M', 'schema', '2')
    await expect(openRedis(server.url)).rejects.toMatchObject({ problem: { code: 'store_newer' } })
  })

  test('a missing server is a refusal', async () => {
    const gone = await RedisServer.start()
    await gone.stop()
    await expect(openRedis(gone.url.replace('//', '//user:hidden@'), { timeoutMs: 300 })).rejects.toSatisfy(
      (error: Error) => error.message.includes('ECONNREFUSED') && !error.message.includes('hidden'),
    )
  })

  test('a wrong password is reported, never shown', async () => {
    const locked = await RedisServer.start(['--requirepass', 'right'])
    await expect(
      openRedis(locked.url.replace('//', '//default:hidden@'), { timeoutMs: 300 }),
    ).rejects.toSatisfy(
      (error: Error) => /WRONGPASS|NOAUTH/.test(error.message) && !error.message.includes('hidden'),
    )
    await expect(openRedis(locked.url, { timeoutMs: 300 })).rejects.toThrow('NOAUTH')
    const store = await openRedis(locked.url.replace('//', '//default:right@'))
    expect(store.kind).toBe(`redis (${locked.url})`)
    await store.shutDown()
    await locked.stop()
  })

  test('ended names are removed', async () => {
    const clock = { now: () => time }
    let time = 1_800_000_000_000
    const store = await openRedis(server.url, { clock })
    for (let index = 0; index < 200; index++) {
      const at = address(`P${index}`)
      await store.commit(ALICE, null, opened(at, time))
      if (index % 10 > 0) await store.close(ALICE, at)
      time += 60_000
    }
    await store.shutDown()
    const [index = ''] = await server.keys('plasmid:R:*')
    expect(Number(await server.command('ZCARD', index))).toBeLessThan(120)
    const again = await openRedis(server.url, { clock })
    expect(await again.list(ALICE, 1000)).toHaveLength(20)
    await again.shutDown()
  })
})

/** Long alive by any clock. */
const far = { expiresAt: 4_000_000_000_000 }
