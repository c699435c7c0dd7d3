import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RedisStore } from '../../../../src/adapters/stores/redis/store.ts'
import { address, ALICE, BOB, extended, MONTH, opened } from '../../../contracts/store-fixtures.ts'
import { RedisServer, whyNoRedis } from '../../../redis-server.ts'
import { openRedis } from './open-redis.ts'
import { Proxy } from './proxy.ts'

const A = address('A')
const OWNER = { address: A, principal: ALICE }
const TIMEOUT_MS = 800
const unavailable = { problem: { code: 'store_unavailable' }, retryable: true }

/** Turns of the event loop in which no timer is due: what needs no more time is over. */
async function tenTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((done) => void setImmediate(done))
}

describe.skipIf(whyNoRedis)(`the way to Redis${whyNoRedis ? ` (${whyNoRedis})` : ''}`, () => {
  let server: RedisServer
  let proxy: Proxy
  let store: RedisStore
  let now = 0

  beforeAll(async () => {
    server = await RedisServer.start()
  })
  beforeEach(async () => {
    await server.command('FLUSHALL')
    proxy = await Proxy.to(server.port)
    store = await openRedis(proxy.url, { timeoutMs: TIMEOUT_MS })
    now = (await store.findByAddress(ALICE, A)).now
  })
  afterEach(async () => {
    vi.useRealTimers()
    await store.shutDown()
    await proxy.close()
  })
  afterAll(() => server.stop())

  test('broken connections are replaced transparently', async () => {
    const record = opened(A, now)
    await store.commit(ALICE, null, record)
    for (let time = 0; time < 3; time++) {
      proxy.drop()
      expect((await store.findByAddress(ALICE, A)).record).toEqual(record)
      expect(await store.commit(ALICE, null, record)).toEqual({ committed: true, ordinal: 0 })
    }
  })

  test('slow answers are waited for', async () => {
    proxy.delayMs = TIMEOUT_MS / 4
    const record = opened(A, now)
    expect(await store.commit(ALICE, null, record)).toEqual({ committed: true, ordinal: 0 })
    expect((await store.findByAddress(ALICE, A)).record).toEqual(record)
  })

  test('answers that never come time out as refusals', async () => {
    proxy.mode = 'dead'
    // The time of this process stands still but for what the test lets pass.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const settled: PromiseSettledResult<unknown>[] = []
    const visits = [
      store.findByAddress(ALICE, A),
      store.findByRef(ALICE, { ordinal: 0 }),
      store.commit(ALICE, null, opened(A, now)),
      store.touch(A, 1, 1, 1),
      store.list(ALICE, 10),
      store.close(ALICE, A),
      store.model('d1'),
      store.append({ owner: OWNER, kind: 'page', body: 'body', lifeMs: MONTH }),
      store.claim({ owner: OWNER, kind: 'effect', name: 'e', body: 'body', lifeMs: MONTH }),
      store.read(OWNER, 'effect', 'e'),
      store.replace({ owner: OWNER, kind: 'effect', name: 'e', version: 1, body: 'body', lifeMs: MONTH }),
      store.entries(OWNER, 'effect', 10),
    ]
    for (const visit of visits) void Promise.allSettled([visit]).then(([end]) => settled.push(end))
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1)
    await tenTurns()
    expect(settled).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await tenTurns()
    expect(settled).toHaveLength(visits.length)
    for (const end of settled) expect(end).toMatchObject({ status: 'rejected', reason: unavailable })
  })

  test('a silently dead connection is replaced', async () => {
    proxy.mode = 'dead'
    await expect(store.findByAddress(ALICE, A)).rejects.toMatchObject(unavailable)
    // The old connection stays dead: only a new one can answer.
    proxy.mode = 'pass'
    expect((await store.findByAddress(ALICE, A)).record).toBeNull()
  })

  test('a connection attempt without a greeting is abandoned', async () => {
    proxy.mode = 'dead'
    proxy.drop()
    await expect(store.findByAddress(ALICE, A)).rejects.toMatchObject(unavailable)
    proxy.mode = 'pass'
    await expect
      .poll(() => store.findByAddress(ALICE, A).catch(() => undefined))
      .toMatchObject({ record: null })
  })

  test('a commit whose answer was lost is recognized', async () => {
    const first = opened(A, now)
    const second = extended(first, 'second')
    await store.commit(ALICE, null, first)
    proxy.mode = 'swallow answers'
    await expect(store.commit(ALICE, first, second)).rejects.toMatchObject(unavailable)
    proxy.mode = 'pass'
    expect((await store.findByAddress(ALICE, A)).record).toEqual(second)
    expect(await store.commit(ALICE, first, second)).toEqual({ committed: true, ordinal: 0 })
  })

  test('a command cut off after it was applied is not applied twice', async () => {
    const first = opened(A, now)
    await store.commit(ALICE, null, first)
    await store.append({ owner: OWNER, kind: 'page', body: 'body', lifeMs: MONTH })
    expect(await proxy.cutOnce(() => store.commit(ALICE, first, extended(first, 'second')))).toEqual({
      committed: true,
      ordinal: 0,
    })
    expect(
      await proxy.cutOnce(() =>
        store.claim({ owner: OWNER, kind: 'effect', name: 'e', body: 'claimed', lifeMs: MONTH }),
      ),
    ).toBe(true)
    expect(await store.claim({ owner: OWNER, kind: 'effect', name: 'e', body: 'again', lifeMs: MONTH })).toBe(
      false,
    )
    expect(
      await proxy.cutOnce(() =>
        store.replace({
          owner: OWNER,
          kind: 'effect',
          name: 'e',
          version: 1,
          body: 'replaced',
          lifeMs: MONTH,
        }),
      ),
    ).toBe(true)
    expect(
      await store.replace({
        owner: OWNER,
        kind: 'effect',
        name: 'e',
        version: 1,
        body: 'again',
        lifeMs: MONTH,
      }),
    ).toBe(false)
    expect(await store.read(OWNER, 'effect', 'e')).toMatchObject({ version: 2, body: 'replaced' })
  })

  test('while the server is away no call waits long', async () => {
    proxy.mode = 'refuse'
    proxy.drop()
    await expect(store.findByAddress(ALICE, A)).rejects.toMatchObject(unavailable)
    await expect(store.findByAddress(ALICE, A)).rejects.toMatchObject(unavailable)
    // The server has now been away for longer than anybody waits: refused in the same turn, with no wait at all.
    let turns = 0
    setImmediate(() => turns++)
    await expect(store.findByAddress(ALICE, A)).rejects.toMatchObject(unavailable)
    expect(turns).toBe(0)
    proxy.mode = 'pass'
    await expect
      .poll(() => store.findByAddress(ALICE, A).catch(() => undefined))
      .toMatchObject({ record: null })
  })

  test('lost functions are loaded again', async () => {
    const record = opened(A, now)
    await store.commit(ALICE, null, record)
    await server.command('FUNCTION', 'FLUSH')
    expect((await store.findByAddress(ALICE, A)).record).toEqual(record)
    await server.command('FUNCTION', 'FLUSH')
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        store.append({ owner: OWNER, kind: 'page', body: String(index), lifeMs: MONTH }),
      ),
    )
    expect(answers.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 16 }, (_, index) => index + 1),
    )
    await server.command('FUNCTION', 'FLUSH')
    expect(await store.commit(BOB, null, opened(address('B'), now))).toEqual({ committed: true, ordinal: 0 })
  })

  test('a server that became a replica is not used', async () => {
    await store.commit(ALICE, null, opened(A, now))
    await server.command('REPLICAOF', '127.0.0.1', '1')
    await expect(store.findByAddress(ALICE, A)).rejects.toMatchObject(unavailable)
    await server.command('REPLICAOF', 'NO', 'ONE')
    expect((await store.findByAddress(ALICE, A)).record?.address).toBe(A)
  })

  test('a full server refuses writes and answers reads', async () => {
    const record = opened(A, now)
    await store.commit(ALICE, null, record)
    await server.command('CONFIG', 'SET', 'maxmemory', '1')
    await expect(store.commit(ALICE, record, extended(record, 'second'))).rejects.toMatchObject(unavailable)
    await expect(
      store.claim({ owner: OWNER, kind: 'effect', name: 'e', body: 'body', lifeMs: MONTH }),
    ).rejects.toMatchObject(unavailable)
    expect((await store.findByAddress(ALICE, A)).record).toEqual(record)
    await server.command('CONFIG', 'SET', 'maxmemory', '0')
  })

  test('a store that was shut down has no connection', async () => {
    await store.shutDown()
    await expect.poll(() => proxy.connections).toBe(0)
    await expect(store.findByAddress(ALICE, A)).rejects.toMatchObject({ problem: { code: 'store_closed' } })
    await store.shutDown()
  })

  test('a shutdown does not wait for an absent server', async () => {
    proxy.mode = 'dead'
    // Nobody answers either: what waited for that would wait for ever.
    const [visit] = await Promise.allSettled([store.findByAddress(ALICE, A), store.shutDown()])
    expect(visit.status).toBe('rejected')
  })
})
