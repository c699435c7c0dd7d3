import { expect, test } from 'vitest'
import { RedisServer, whyNoRedis } from '../redis-server.ts'
import { jsonOf, startTestServer, SEEDS, textOf } from './test-server.ts'

test.skipIf(whyNoRedis)('HTTP and MCP report an unreachable store in the same words', async () => {
  const redis = await RedisServer.start()
  const secret = { PLASMID_SECRET: 'a-secret-that-all-nodes-are-given' }
  const server = await startTestServer({ store: redis.url }, secret)
  const client = await server.client('auto')
  const call = { intent: 'go on', seeds: SEEDS }
  const opened = await client.callTool({ name: 'plasm_context', arguments: call })
  await redis.kill()
  const byHttp = await server.send('POST', '/v1/contexts', call)
  const byMcp = await client.callTool({ name: 'plasm_context', arguments: call })
  await redis.run()
  const told =
    'unavailable: The session store is unavailable. Send the same call again in a moment; completed changes are not repeated.'
  expect([byHttp.status, await jsonOf(byHttp)]).toEqual([503, expect.objectContaining({ detail: told })])
  expect([byMcp.isError, textOf(byMcp)]).toEqual([true, `${told}\n`])
  // The store came back empty: the same call opens the session anew.
  await expect
    .poll(async () => textOf(await client.callTool({ name: 'plasm_context', arguments: call })))
    .toBe(textOf(opened).replace('`s0`', '`s1000`'))
  await server.close()
  await redis.stop()
})
