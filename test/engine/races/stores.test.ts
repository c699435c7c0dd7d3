import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { secretFile } from '../../../src/adapters/auth/secret-file.ts'
import { sqliteStore } from '../../../src/adapters/stores/sqlite/store.ts'
import { openRedis } from '../../adapters/stores/redis/open-redis.ts'
import { Proxy } from '../../adapters/stores/redis/proxy.ts'
import { RedisServer, whyNoRedis } from '../../redis-server.ts'
import { testEngine } from '../engines.ts'
import { codesOf, HOUR, onEveryStore, onStoresThatLast, seedsOf, taught } from './stage.ts'

/* What stores and the machines around them do to sessions: clocks, first starts, shutdowns, servers that are lost. */

const MINUTE = 60_000

onEveryStore((stage) => {
  test('clocks of nodes ten minutes apart: a row lives and ends for all of them at once', async () => {
    const { node, clock } = await stage()
    const skewed = (minutes: number) => node({ clock: { now: () => clock.now() + minutes * MINUTE } })
    const nodes = [await skewed(-10), await skewed(0), await skewed(10)]
    const seen = () =>
      Promise.all(
        nodes.map(async ({ gateway, plan }) => {
          const listed = await gateway.sessions(LOCAL_USER)
          const one = await gateway.session(LOCAL_USER, 's0')
          return [
            (await plan('Book')).ok,
            one.ok && one.facts.alive,
            listed.ok && listed.facts.sessions.map(({ alive }) => alive),
          ]
        }),
      )
    await nodes[0]?.context(['library:Book'])
    clock.advance(HOUR - 1)
    // Looking does not count as use, planning does: so the look comes first.
    for (const { gateway } of nodes)
      expect(await gateway.session(LOCAL_USER, 's0')).toMatchObject({ facts: { alive: true } })
    expect(await seen()).toEqual(nodes.map(() => [true, true, [true]]))
    clock.advance(HOUR)
    expect(await seen()).toEqual(nodes.map(() => [false, false, [false]]))
  })
})

onStoresThatLast((stage) => {
  test('a shutdown beside a commit: what it answers is there; else the call may be sent again', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    const late = one.stop('commit')
    const opened = one
      .losing()
      .context(LOCAL_USER, { intent: 'goal', seeds: seedsOf(['library:Book']) })
      .then(taught, (error: unknown) => error)
    await late.reached
    late.go()
    await Promise.resolve()
    await one.store.shutDown()
    expect([['e1=Book'], expect.objectContaining({ retryable: true })]).toContainEqual(await opened)
    expect(taught(await two.context(['library:Book']))).toEqual(['e1=Book'])
    const listed = await two.gateway.sessions(LOCAL_USER)
    expect(listed.ok && listed.facts.sessions.map(({ revision }) => revision)).toEqual([1])
  })

  test('a shutdown before a commit: the call says that it may be sent again, and nothing is there', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    const late = one.stop('commit')
    const opened = one.context(['library:Book'])
    await late.reached
    const ending = one.store.shutDown()
    late.go()
    await expect(opened).rejects.toMatchObject({ retryable: true, problem: { code: 'store_closed' } })
    await ending
    const listed = await two.gateway.sessions(LOCAL_USER)
    expect(listed.ok && listed.facts.sessions).toEqual([])
  })
})

onStoresThatLast((stage) => {
  test('a sweep between a catalog\u2019s keeping and its first session: the session has its catalog', async () => {
    const { node, clock, catalogs } = await stage()
    const [one, two] = [await node(), await node()]
    const late = one.stop('commit')
    const opened = one.context(['shop:Customer'])
    await late.reached
    clock.advance(25 * HOUR)
    // Another node sweeps, by what it writes of another catalog.
    for (let goal = 0; goal < 70; goal++) await two.context(['library:Book'], { intent: `goal ${goal}` })
    late.go()
    expect((await opened).ok).toBe(true)
    // A node that never had this version finds it in the store.
    const third = await node()
    third.swap(catalogs({ shop: { version: 99 } }))
    const moved = await third.context(['shop:Customer'])
    expect(moved.text).toContain('Changed: shop.')
    expect(taught(moved)).toEqual(['e2=Customer'])
  })
})

test('first start beside first start on an empty folder: one secret, one file, one `s0`', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plasmid-first-'))
  const clock = { now: () => Date.now() }
  const started = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const [secret, store] = await Promise.all([
        secretFile(join(folder, 'secret')),
        sqliteStore({ path: join(folder, 'plasmid.db'), clock }),
      ])
      if (!secret.ok) throw new Error(JSON.stringify(secret.problems))
      const { gateway } = testEngine({ store, secrets: [secret.value], newId: () => `${index}` })
      const reply = await gateway.context(LOCAL_USER, { intent: 'first', seeds: seedsOf(['library:Book']) })
      return { store, secret: secret.value, reply }
    }),
  )
  expect(new Set(started.map(({ secret }) => secret)).size).toBe(1)
  expect(new Set(started.map(({ reply }) => reply.text.split('\n')[0]))).toEqual(new Set(['`s0`']))
  expect(new Set(started.map(({ reply }) => reply.ok && reply.facts.longRef)).size).toBe(1)
  await Promise.all(started.map(({ store }) => store.shutDown()))
  await rm(folder, { recursive: true })
})

describe.skipIf(whyNoRedis)(`a Redis server that is lost${whyNoRedis ? ` (${whyNoRedis})` : ''}`, () => {
  test('a fail-over to a replica that missed an extension: its symbols are unknown, not others', async () => {
    const server = await RedisServer.start(['--appendonly', 'yes', '--appendfsync', 'always'])
    const cable = await Proxy.to(server.port)
    const replica = await RedisServer.start(['--replicaof', '127.0.0.1', new URL(cable.url).port])
    const name = await Proxy.to(server.port)
    const store = await openRedis(name.url)
    const { gateway } = testEngine({ store })
    const context = (entity: string, more: object = {}) =>
      gateway.context(LOCAL_USER, { intent: 'goal', seeds: seedsOf([entity]), ...more })
    await expect
      .poll(() => server.command('INFO', 'replication'), { timeout: 10_000 })
      .toContain('state=online')
    await context('library:Book')
    // Replication is asynchronous.
    await expect.poll(() => replica.keys('*'), { timeout: 10_000 }).toEqual(await server.keys('*'))
    cable.mode = 'dead'
    expect(taught(await context('library:Copy'))).toEqual(['e2=Copy'])
    await server.kill()
    await replica.command('REPLICAOF', 'NO', 'ONE')
    name.target = replica.port
    name.drop()
    const run = (program: string) =>
      gateway.run(
        LOCAL_USER,
        { logical_session_ref: 's0', program },
        { signal: new AbortController().signal },
      )
    expect(codesOf(await run('e2'))).toEqual(['unknown_symbol'])
    expect(taught(await context('library:Order', { have: 'e1' }))).toEqual(['e1002=Order'])
    expect(codesOf(await run('e2'))).toEqual(['unknown_symbol'])
    await store.shutDown()
    await Promise.all([name.close(), cable.close(), replica.stop(), server.stop()])
  })

  test('a server that was emptied: old refs are unknown, new ones are others, and the goal starts afresh', async () => {
    const server = await RedisServer.start()
    const [one, two] = [await openRedis(server.url), await openRedis(server.url)]
    const [before, after] = [testEngine({ store: one }), testEngine({ store: two })]
    const call = { intent: 'goal', seeds: seedsOf(['library:Book']) }
    await before.gateway.context(LOCAL_USER, call)
    await after.gateway.context(LOCAL_USER, { ...call, intent: 'other' })
    await server.command('FLUSHALL')
    const again = await after.gateway.context(LOCAL_USER, call)
    expect(again.text).toMatch(/^`s1000`\n\n```tsv\n/)
    expect(again.ok && again.facts.continuity.new_symbol_space).toBe(true)
    for (const { gateway } of [before, after])
      for (const logical_session_ref of ['s0', 's1'])
        expect(codesOf(await gateway.context(LOCAL_USER, { logical_session_ref, have: 'e1' }))).toEqual([
          'unknown_session',
        ])
    expect((await before.gateway.context(LOCAL_USER, { ...call, have: 'e1' })).text).toMatch(/^`s1000`\n/)
    await Promise.all([one.shutDown(), two.shutDown()])
    await server.stop()
  })
})
