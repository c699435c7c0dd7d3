import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RedisStore } from '../../../../src/adapters/stores/redis/store.ts'
import { bearerKey } from '../../../../src/session/store.ts'
import { address, ALICE, BOB, catalog, extended, MONTH, opened } from '../../../contracts/store-fixtures.ts'
import { RedisServer, whyNoRedis } from '../../../redis-server.ts'
import { openRedis } from './open-redis.ts'
import { Proxy } from './proxy.ts'

const A = address('A')

describe.skipIf(whyNoRedis)(`round trips to Redis${whyNoRedis ? ` (${whyNoRedis})` : ''}`, () => {
  let server: RedisServer
  let proxy: Proxy
  let store: RedisStore
  let now = 0

  beforeAll(async () => {
    server = await RedisServer.start()
    proxy = await Proxy.to(server.port)
  })
  beforeEach(async () => {
    await server.command('FLUSHALL')
    store = await openRedis(proxy.url)
    now = (await store.findByAddress(ALICE, A)).now
    return () => store.shutDown()
  })
  afterAll(async () => {
    await proxy.close()
    await server.stop()
  })

  async function waitsOf(visit: () => Promise<unknown>): Promise<number> {
    proxy.reset()
    await visit()
    return proxy.waits
  }

  test('finding by address is one round trip', async () => {
    await store.commit(ALICE, null, opened(A, now))
    expect(await waitsOf(() => store.findByAddress(ALICE, A))).toBe(1)
    expect(await waitsOf(() => store.findByAddress(BOB, A))).toBe(1)
    expect(await waitsOf(() => store.findByAddress(BOB, address('unknown')))).toBe(1)
    expect(await waitsOf(() => store.findByRef(ALICE, { address: A }))).toBe(1)
  })

  test('finding by a known name is one round trip', async () => {
    await store.commit(ALICE, null, opened(A, now))
    expect(await waitsOf(() => store.findByRef(ALICE, { ordinal: 0 }))).toBe(1)
    const other = await openRedis(proxy.url)
    expect(await waitsOf(() => other.findByRef(ALICE, { ordinal: 0 }))).toBe(2)
    expect(await waitsOf(() => other.findByRef(ALICE, { ordinal: 0 }))).toBe(1)
    await other.shutDown()
  })

  test('a whole record comes back in that round trip', async () => {
    const record = opened(A, now)
    await store.commit(ALICE, null, record)
    const found = await store.findByRef(ALICE, { ordinal: 0 })
    expect(found).toEqual({ record, ordinal: 0, delivered: 0, now: found.now })
    expect(found.now).toBeGreaterThanOrEqual(now)
  })

  test('an extension is one concurrent call per connection', async () => {
    const first = opened(A, now)
    await store.keepModel('d1', catalog('github'))
    await store.commit(ALICE, null, first)
    proxy.hold()
    const waits = waitsOf(() => store.commit(ALICE, first, extended(first, 'second')))
    // The second is made before the first is answered.
    await expect.poll(() => proxy.waits).toBe(2)
    proxy.release()
    expect(await waits).toBe(2)
  })

  test('entries are one round trip each', async () => {
    const owner = { address: A, principal: ALICE }
    expect(await waitsOf(() => store.append({ owner, kind: 'page', body: 'body', lifeMs: MONTH }))).toBe(1)
    expect(
      await waitsOf(() => store.claim({ owner, kind: 'effect', name: 'e', body: 'body', lifeMs: MONTH })),
    ).toBe(1)
    expect(await waitsOf(() => store.read(owner, 'effect', 'e'))).toBe(1)
    expect(
      await waitsOf(() =>
        store.replace({ owner, kind: 'effect', name: 'e', version: 1, body: 'body', lifeMs: MONTH }),
      ),
    ).toBe(1)
  })

  test('keys reveal no principal, and all are ours', async () => {
    await store.keepModel('d1', catalog('github'))
    await store.commit(ALICE, null, opened(A, now))
    await store.append({ owner: { address: A, principal: ALICE }, kind: 'page', body: 'body', lifeMs: MONTH })
    const keys = await server.keys('*')
    expect(keys).toHaveLength(11)
    for (const key of keys) {
      expect(key).toMatch(/^plasmid:(M|[A-Z]:\{[\w-]+\}(:.*)?)$/)
      expect(key).not.toContain('alice')
    }
  })

  test('every key but the names expires', async () => {
    await store.keepModel('d1', catalog('github'))
    await store.commit(ALICE, null, opened(A, now))
    await store.append({ owner: { address: A, principal: ALICE }, kind: 'page', body: 'body', lifeMs: MONTH })
    const lasting: string[] = []
    const keys = await server.keys('*')
    for (const key of keys) {
      if (Number(await server.command('PTTL', key)) < 0) lasting.push(key.split(':').at(-2) ?? '')
    }
    expect(lasting.toSorted()).toEqual(['N', 'R', 'plasmid'])
  })

  test('nothing remains of a principal that expires with its session', async () => {
    const bearer = bearerKey(A)
    await store.commit(bearer, null, opened(A, now))
    await store.append({
      owner: { address: A, principal: bearer },
      kind: 'page',
      body: '"body"',
      lifeMs: MONTH,
    })
    const keys = (await server.keys('*')).filter((key) => key !== 'plasmid:M')
    expect(keys.length).toBeGreaterThan(5)
    for (const key of keys) expect([key, Number(await server.command('PTTL', key)) > 0]).toEqual([key, true])
  })

  test('a model is kept as long as its record', async () => {
    const first = opened(A, now, { expiresAt: now + 2 * MONTH })
    await store.keepModel('d1', catalog('github'))
    await store.commit(ALICE, null, first)
    expect(await lifeOfModel()).toBeGreaterThanOrEqual(first.expiresAt - now - 60_000)
    await store.touch(A, 1, now + 1, now + 3 * MONTH)
    expect(await lifeOfModel()).toBeGreaterThanOrEqual(3 * MONTH - 60_000)
  })

  async function lifeOfModel(): Promise<number> {
    const [key] = await server.keys('plasmid:C:*')
    return Number(await server.command('PTTL', key ?? ''))
  }
})
