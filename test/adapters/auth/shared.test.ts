import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keyRing } from '../../../src/adapters/auth/api-keys.ts'
import { sharedKeys } from '../../../src/adapters/auth/key-places.ts'
import { publishedPolicy, publishPolicy, sharedPolicy } from '../../../src/adapters/auth/shared-policy.ts'
import type { RedisStore } from '../../../src/adapters/stores/redis/store.ts'
import { RedisServer, whyNoRedis } from '../../redis-server.ts'
import { openRedis } from '../stores/redis/open-redis.ts'

const LOCAL = { from: 'local' } as const

describe.skipIf(whyNoRedis)(`what nodes share${whyNoRedis ? ` (${whyNoRedis})` : ''}`, () => {
  let server: RedisServer
  let one: RedisStore
  let two: RedisStore
  let now = 0
  const clock = { now: () => now }
  beforeAll(async () => void (server = await RedisServer.start()))
  beforeEach(async () => {
    await server.command('FLUSHALL')
    now = 1_000_000
    ;[one, two] = await Promise.all([openRedis(server.url), openRedis(server.url, { timeoutMs: 200 })])
    return () => Promise.all([one.shutDown(), two.shutDown()])
  })
  afterAll(() => server.stop())

  test('a policy that is published holds on other nodes from their next call', async () => {
    await publishPolicy(one.texts, 'default: allow', 'policy.yaml')
    const source = await sharedPolicy(two.texts, clock)
    const may = () => source.rightsOf(LOCAL).mayUseCatalog('shop')
    expect(may()).toBe(true)
    await publishPolicy(one.texts, 'default: deny', 'policy.yaml')
    await source.refresh()
    expect(may()).toBe(false)
    expect(await publishedPolicy(two.texts)).toBe('default: deny')
  })

  test('a right is taken back within one call, too', async () => {
    await publishPolicy(one.texts, 'default: allow', 'policy.yaml')
    const source = await sharedPolicy(two.texts, clock)
    await publishPolicy(one.texts, 'default: deny', 'policy.yaml')
    await expect
      .poll(() => {
        now += 50
        return source.rightsOf(LOCAL).mayUseCatalog('shop')
      })
      .toBe(false)
  })

  test('without a valid policy, no rights are granted', async () => {
    const source = await sharedPolicy(two.texts, clock)
    const may = () => source.rightsOf(LOCAL).mayUseCatalog('shop')
    await expect(source.refresh()).rejects.toMatchObject({
      retryable: true,
      message: expect.stringContaining('no policy'),
    })
    expect(may()).toBe(false)
    const broken = await publishPolicy(one.texts, 'defualt: allow', 'policy.yaml')
    expect(broken).toMatchObject({ ok: false, problems: [{ code: 'policy_unknown_key' }] })
    expect(await publishedPolicy(two.texts)).toBeUndefined()
    await publishPolicy(one.texts, 'default: allow', 'policy.yaml')
    await source.refresh()
    expect(may()).toBe(true)
    // Emptied by somebody: what is not there allows nothing.
    await server.command('FLUSHALL')
    await expect(source.refresh()).rejects.toThrow('no policy')
    expect(may()).toBe(false)
  })

  test('what cannot be read again for long gives no right', async () => {
    await publishPolicy(one.texts, 'default: allow', 'policy.yaml')
    const source = await sharedPolicy(two.texts, clock)
    const may = () => source.rightsOf(LOCAL).mayUseCatalog('shop')
    await server.kill()
    await expect(source.refresh()).rejects.toMatchObject({ retryable: true })
    expect(may()).toBe(true)
    now += 10_000
    expect(may()).toBe(false)
    await server.run()
    const published = () =>
      publishPolicy(one.texts, 'default: allow', 'policy.yaml').then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(published, { timeout: 10_000 }).toBe(true)
    const isRead = () =>
      source.refresh().then(
        () => true,
        () => false,
      )
    await expect.poll(isRead, { timeout: 10_000 }).toBe(true)
    expect(may()).toBe(true)
  })

  test('a key is known and revoked everywhere at once', async () => {
    const [here, there] = [one, two].map(({ texts }) => keyRing(sharedKeys(texts), { now: Date.now }))
    const made = await here?.add({ subject: 'ci', tenant: 'acme' })
    const key = made?.ok ? made.value : undefined
    expect(await there?.verify(key?.key ?? '')).toMatchObject({ identity: { subject: 'ci', tenant: 'acme' } })
    expect(await there?.list()).toMatchObject({ ok: true, value: [{ id: key?.id, subject: 'ci' }] })
    const held = await server.command('HGETALL', 'plasmid:T')
    expect(JSON.stringify(held)).not.toContain(key?.key.slice(-32))
    expect(await there?.revoke(key?.id ?? '')).toMatchObject({ ok: true })
    expect(await here?.verify(key?.key ?? '')).toBeNull()
  })
})
