import { mkdtempSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RedisServer, whyNoRedis } from '../redis-server.ts'
import { plasmid } from './plasmid.ts'
import { jsonOf, SEEDS, SHOP } from './test-server.ts'
import { serve, type Served } from './server-process.ts'
import { startShopApi, type ShopApi } from './shop-api.ts'

const env = {
  PLASMID_SECRET: 'a-secret-of-two-nodes-only',
  PLASMID_POLICY: 'store',
  PLASMID_AUTH: 'required',
  // A data directory of the user that runs the tests may hold another secret.
  XDG_DATA_HOME: mkdtempSync(join(tmpdir(), 'plasmid-home-')),
}

describe.skipIf(whyNoRedis)(`two nodes${whyNoRedis ? ` (${whyNoRedis})` : ''}`, () => {
  let redis: RedisServer
  let api: ShopApi
  let nodes: readonly Served[]
  let admin: (...line: readonly string[]) => ReturnType<typeof plasmid>
  const policy = async (text: string) => {
    const file = join(await mkdtemp(join(tmpdir(), 'plasmid-policy-')), 'policy.yaml')
    await writeFile(file, text)
    return admin('policy', 'set', file)
  }
  beforeAll(async () => {
    ;[redis, api] = await Promise.all([RedisServer.start(), startShopApi()])
    admin = (...line) => plasmid([...line, '--store', redis.url], '', env)
    await policy('default: allow')
    await admin('keys', 'add', '--subject', 'first')
    const flags = ['--store', redis.url, '--no-shipped', '--catalog', SHOP, '--backend', `shop=${api.url}`]
    nodes = await Promise.all(
      [1, 2].map(async () => serve(await mkdtemp(join(tmpdir(), 'plasmid-node-')), flags, env)),
    )
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.kill()))
    await Promise.all([redis.stop(), api.close()])
  })

  const on = (node: Served, key: string, path: string, body?: object) =>
    node.send(body ? 'POST' : 'GET', path, body, { authorization: `Bearer ${key}` })
  const statuses = (key: string) =>
    Promise.all(nodes.map(async (node) => (await on(node, key, '/v1/contexts')).status))

  test('take a key and let it go at their next call', async () => {
    const made = await admin('keys', 'add', '--subject', 'ci')
    const key = made.stdout.trim()
    expect(await statuses(key)).toEqual([200, 200])
    expect((await admin('keys', 'revoke', key.slice(8, 24))).code).toBe(0)
    expect(await statuses(key)).toEqual([401, 401])
  })

  test('take a right back at their next call, between plan and run', async () => {
    const key = (await admin('keys', 'add', '--subject', 'bob')).stdout.trim()
    const [one, two] = nodes
    if (!one || !two) throw new Error('wanted two')
    await on(one, key, '/v1/contexts', { intent: 'revoked', seeds: SEEDS })
    const program = 'e1("c4").delete()'
    const planned = await on(one, key, '/v1/contexts/s0/plan', { program })
    const { plan } = await jsonOf<{ readonly plan: string }>(planned)
    const before = api.requests.length
    expect((await policy('callers: [{ from: keys, effects: deny }]')).code).toBe(0)
    for (const node of [two, one]) {
      const refused = await on(node, key, '/v1/contexts/s0/run', { program, plan })
      expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'effect_denied' }])
    }
    expect(api.requests.length).toBe(before)
    await policy('callers: [{ from: keys, revoked_before: "2999-01-01T00:00:00Z" }]')
    expect(await statuses(key)).toEqual([401, 401])
    await policy('default: allow')
    const done = await on(two, key, '/v1/contexts/s0/run', { program, plan })
    expect(await done.json()).toMatchObject({ effects: [{ state: 'done' }] })
  })

  test('take a right back between two pages of one handle, where the token is known', async () => {
    const key = (await admin('keys', 'add', '--subject', 'eve')).stdout.trim()
    const [one, two] = nodes
    if (!one || !two) throw new Error('wanted two')
    await on(one, key, '/v1/contexts', { intent: 'paged', seeds: SEEDS })
    const first = await on(one, key, '/v1/contexts/s0/run', { program: 'e1[id, notes]' })
    expect(JSON.stringify(await first.json())).toContain('s0_pg1')
    // Each node has verified the key, and given a page of this very handle.
    const page = (node: Served) => on(node, key, '/v1/pages/s0_pg1')
    for (const node of nodes) expect(await (await page(node)).text()).toContain('"c4"')
    const snapshot = (node: Served) => on(node, key, '/v1/contexts/s0/snapshots/1')
    for (const node of nodes) expect((await snapshot(node)).status).toBe(200)
    const before = api.requests.length
    expect(
      (await policy('callers: [{ from: keys, catalogs: { shop: { capabilities: [customer_get] } } }]')).code,
    ).toBe(0)
    for (const node of [two, one]) {
      const refused = await (await page(node)).text()
      expect(refused).toContain('**not_allowed**: `shop.Customer`')
      expect(refused).not.toContain('"c4"')
      expect((await snapshot(node)).status).toBe(404)
    }
    expect(api.requests.length).toBe(before)
    await policy('default: allow')
    for (const node of nodes) expect((await page(node)).status).toBe(200)
  })

  test('refuse an invalid policy', async () => {
    const refused = await policy('defualt: deny')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^policy_unknown_key: /)])
    expect((await admin('policy', 'show')).stdout).toBe('default: allow')
    const alone = await plasmid(['policy', 'set', '/dev/null', '--store', 'sqlite'], '', env)
    expect(alone.stderr).toMatch(/^policy_not_shared: /)
  })
})
