import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LOCAL_USER } from '../../../../src/access/caller.ts'
import type { RedisStore } from '../../../../src/adapters/stores/redis/store.ts'
import { testEngine } from '../../../engine/engines.ts'
import { RedisServer, whyNoRedis } from '../../../redis-server.ts'
import { openRedis } from './open-redis.ts'

describe.skipIf(whyNoRedis)(`contexts on Redis${whyNoRedis ? ` (${whyNoRedis})` : ''}`, () => {
  let server: RedisServer
  const stores: RedisStore[] = []

  beforeEach(async () => {
    server = await RedisServer.start(['--appendonly', 'yes', '--appendfsync', 'always'])
  })
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.shutDown()))
    await server.stop()
  })

  async function node() {
    const store = await openRedis(server.url)
    stores.push(store)
    return testEngine({ store })
  }

  test('a session continues on another node', async () => {
    const [one, two] = [await node(), await node()]
    const opened = await one.gateway.context(LOCAL_USER, {
      intent: 'read',
      seeds: [{ api: 'library', entity: 'Book' }],
    })
    const repeated = await two.gateway.context(LOCAL_USER, {
      intent: 'read',
      have: 'e1',
      seeds: [{ api: 'library', entity: 'Book' }],
    })
    expect(opened.text).toContain('e1(isbn=$)\tBook')
    expect(repeated.text).toMatch(/^`s0`\n\n_Session unchanged \(`e1`…`e1`\)/)
  })

  test('after a restart new symbols skip numbers', async () => {
    const { gateway } = await node()
    const seeds = [{ api: 'library', entity: 'Book' }]
    await gateway.context(LOCAL_USER, { intent: 'read', seeds })
    await server.kill()
    await server.run()
    const repeated = await gateway.context(LOCAL_USER, { intent: 'read', have: 'e1', seeds })
    expect(repeated.text).toMatch(/^`s0`\n\n_Session unchanged \(`e1`…`e1`\)/)
    const extended = await gateway.context(LOCAL_USER, {
      logical_session_ref: 's0',
      have: 'e1',
      seeds: [{ api: 'shop', entity: 'Product' }],
    })
    expect(extended.text).toMatch(/^`s0`\n/)
    expect(extended.text).toContain('e1002($)\tshop.Product')
    expect(extended.text).not.toContain('Book')
  })
})
