import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RedisStore } from '../../../../src/adapters/stores/redis/store.ts'
import type { SessionRecord } from '../../../../src/session/record.ts'
import { address, ALICE, catalog, extended, MONTH, opened } from '../../../contracts/store-fixtures.ts'
import { RedisServer, whyNoRedis } from '../../../redis-server.ts'
import { openRedis } from './open-redis.ts'
import { Proxy } from './proxy.ts'

const A = address('A')
const B = address('B')
const OWNER = { address: A, principal: ALICE }

/** The record with one more wave that leaves numbers out. */
function extendedAside(record: SessionRecord, commit: string): SessionRecord {
  const next = extended(record, commit)
  return {
    ...next,
    waves: next.waves.map((wave, index) => (index === record.revision ? { ...wave, skip: 1000 } : wave)),
  }
}

/** The record as it is opened where an earlier one may be lost. */
function openedAside(at: string, now: number): SessionRecord {
  const record = opened(at, now)
  return { ...record, waves: record.waves.map((wave) => ({ ...wave, skip: 1000 })) }
}

describe.skipIf(whyNoRedis)(`a Redis that loses data${whyNoRedis ? ` (${whyNoRedis})` : ''}`, () => {
  let server: RedisServer
  let store: RedisStore
  let now = 0

  beforeEach(async () => {
    server = await RedisServer.start(['--appendonly', 'yes', '--appendfsync', 'always'])
    store = await openRedis(server.url)
    now = (await store.findByAddress(ALICE, A)).now
  })
  afterEach(async () => {
    await store.shutDown()
    await server.stop()
  })

  async function restart(): Promise<void> {
    await server.kill()
    await server.run()
  }

  test('after a restart the next wave must skip', async () => {
    const first = opened(A, now)
    await store.commit(ALICE, null, first)
    expect(await store.findByAddress(ALICE, A)).not.toHaveProperty('lost')
    await restart()
    const found = await store.findByAddress(ALICE, A)
    expect(found).toEqual({ record: first, ordinal: 0, delivered: 0, now: found.now, lost: 1000 })
    const refused = await store.commit(ALICE, first, extended(first, 'second'))
    expect(refused).toMatchObject({ committed: false, current: first, lost: 1000 })
    const aside = extendedAside(first, 'aside')
    expect(await store.commit(ALICE, first, aside)).toEqual({ committed: true, ordinal: 0 })
    expect(await store.findByRef(ALICE, { ordinal: 0 })).not.toHaveProperty('lost')
    expect(await store.commit(ALICE, aside, extended(aside, 'third'))).toEqual({
      committed: true,
      ordinal: 0,
    })
  })

  test('a commit without new waves needs no skip', async () => {
    const first = opened(A, now)
    const renamed = { ...first, commit: 'joined' }
    await store.commit(ALICE, null, first)
    await restart()
    expect(await store.commit('["user","bob"]', first, renamed)).toEqual({ committed: true, ordinal: 0 })
    expect(await store.findByAddress(ALICE, A)).toMatchObject({ record: renamed, lost: 1000 })
  })

  test('after a restart numbers are skipped', async () => {
    await store.commit(ALICE, null, opened(A, now))
    expect(await store.append({ owner: OWNER, kind: 'page', body: 'one', lifeMs: MONTH })).toBe(1)
    await restart()
    expect(await store.commit(ALICE, null, opened(B, now))).toEqual({ committed: true, ordinal: 1001 })
    expect(await store.append({ owner: OWNER, kind: 'page', body: 'two', lifeMs: MONTH })).toBe(1002)
    expect(await store.append({ owner: OWNER, kind: 'page', body: 'three', lifeMs: MONTH })).toBe(1003)
    expect((await store.findByRef(ALICE, { ordinal: 0 })).record?.address).toBe(A)
  })

  test('entries of the previous process are marked', async () => {
    await store.claim({ owner: OWNER, kind: 'effect', name: 'e', body: 'sent', lifeMs: MONTH })
    expect(await store.read(OWNER, 'effect', 'e')).not.toHaveProperty('lost')
    await restart()
    expect(await store.read(OWNER, 'effect', 'e')).toMatchObject({ body: 'sent', lost: true })
    expect(await store.entries(OWNER, 'effect', 9)).toMatchObject([{ body: 'sent', lost: true }])
    expect(
      await store.replace({
        owner: OWNER,
        kind: 'effect',
        name: 'e',
        version: 1,
        body: 'done',
        lifeMs: MONTH,
      }),
    ).toBe(true)
    expect(await store.read(OWNER, 'effect', 'e')).not.toHaveProperty('lost')
  })

  test('an emptied store starts numbers at a thousand', async () => {
    const first = opened(A, now)
    await store.keepModel('d1', catalog('github'))
    await store.commit(ALICE, null, first)
    await server.command('FLUSHALL')
    expect((await store.findByRef(ALICE, { ordinal: 0 })).record).toBeNull()
    expect(await store.commit(ALICE, first, extended(first, 'second'))).toMatchObject({
      committed: false,
      current: null,
    })
    expect(await store.commit(ALICE, null, first)).toMatchObject({
      committed: false,
      current: null,
      lost: 1000,
    })
    const aside = openedAside(A, now)
    expect(await store.commit(ALICE, null, aside)).toEqual({ committed: true, ordinal: 1000 })
    expect((await store.findByRef(ALICE, { ordinal: 0 })).record).toBeNull()
    expect(await store.model('d1')).toEqual(catalog('github'))
    await server.command('FLUSHALL')
    expect(await store.commit(ALICE, null, aside)).toEqual({ committed: true, ordinal: 2000 })
    expect(await store.findByAddress(ALICE, B)).toMatchObject({ record: null, lost: 2000 })
  })

  test('no page of an emptied store names another', async () => {
    expect(await store.append({ owner: OWNER, kind: 'page', body: 'before', lifeMs: MONTH })).toBe(1)
    await server.command('FLUSHALL')
    expect(await store.append({ owner: OWNER, kind: 'page', body: 'after', lifeMs: MONTH })).toBe(1001)
    expect(await store.read(OWNER, 'page', '1')).toBeNull()
    expect((await store.entries(OWNER, 'page', 10)).map(({ body }) => body)).toEqual(['after'])
  })

  test('a new node learns of the emptying from an old one', async () => {
    await server.command('FLUSHALL')
    const late = await openRedis(server.url)
    expect(await store.commit(ALICE, null, openedAside(A, now))).toEqual({ committed: true, ordinal: 1000 })
    expect(await late.commit(ALICE, null, openedAside(B, now))).toEqual({ committed: true, ordinal: 1001 })
    expect(await late.commit('["user","bob"]', null, openedAside(address('C'), now))).toEqual({
      committed: true,
      ordinal: 1000,
    })
    await late.shutDown()
  })

  test('an older copy shows that it may have lost commits', async () => {
    await server.command('CONFIG', 'SET', 'appendonly', 'no')
    const first = opened(A, now)
    await store.commit(ALICE, null, first)
    await server.command('SAVE')
    await store.commit(ALICE, first, extended(first, 'second'))
    expect(await store.commit(ALICE, null, opened(B, now))).toEqual({ committed: true, ordinal: 1 })
    const old = await RedisServer.start(['--dir', server.folder])
    const proxy = await Proxy.to(server.port)
    const through = await openRedis(proxy.url)
    await through.findByRef(ALICE, { ordinal: 1 })
    proxy.target = old.port
    proxy.drop()
    expect(await through.findByAddress(ALICE, A)).toMatchObject({ record: first, ordinal: 0, lost: 1000 })
    expect((await through.findByRef(ALICE, { ordinal: 1 })).record).toBeNull()
    expect(await through.commit(ALICE, null, opened(address('C'), now))).toEqual({
      committed: true,
      ordinal: 1001,
    })
    await through.shutDown()
    await proxy.close()
    await old.stop()
  })

  test('a promoted replica reuses no symbol', async () => {
    const cable = await Proxy.to(server.port)
    const replica = await RedisServer.start(['--replicaof', '127.0.0.1', new URL(cable.url).port])
    const name = await Proxy.to(server.port)
    const node = await openRedis(name.url)
    await expect
      .poll(() => server.command('INFO', 'replication'), { timeout: 10_000 })
      .toContain('state=online')
    const first = opened(A, now)
    await node.commit(ALICE, null, first)
    // The wait for the replica is part of the commit, so that the test need not wait.
    expect(await server.command('INFO', 'commandstats')).toContain('cmdstat_wait:calls=1,')
    cable.mode = 'dead'
    expect(await node.commit(ALICE, first, extended(first, 'lost'))).toEqual({ committed: true, ordinal: 0 })
    await server.kill()
    await replica.command('REPLICAOF', 'NO', 'ONE')
    name.target = replica.port
    name.drop()
    const found = await node.findByAddress(ALICE, A)
    expect(found).toEqual({ record: first, ordinal: 0, delivered: 0, now: found.now, lost: 1000 })
    expect(await node.commit(ALICE, first, extended(first, 'other'))).toMatchObject({
      committed: false,
      lost: 1000,
    })
    expect(await node.commit(ALICE, first, extendedAside(first, 'aside'))).toMatchObject({ committed: true })
    await node.shutDown()
    await name.close()
    await cable.close()
    await replica.stop()
  })
})
