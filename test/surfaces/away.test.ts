import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  // The store came back empty: the same call opens the session anew. No symbol that it gave before gets another meaning.
  let reopened = ''
  await expect
    .poll(async () => (reopened = textOf(await client.callTool({ name: 'plasm_context', arguments: call }))))
    .not.toContain('unavailable')
  const anew = (_: string, number: string) => `e${1000 + Number(number)}`
  expect(reopened).toBe(
    textOf(opened)
      .replace('`s0`', '`s1000`')
      .replaceAll(/\be(\d+)/g, anew),
  )
  await server.close()
  await redis.stop()
})

test('HTTP and MCP report a store that was deleted in the same words', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plasmid-deleted-'))
  const server = await startTestServer({ store: 'sqlite', data_dir: folder, auth: 'off' })
  const client = await server.client('auto')
  await server.send('POST', '/v1/contexts', { intent: 'before', seeds: SEEDS })
  await rm(join(folder, 'plasmid.db'))
  const byHttp = await server.send('POST', '/v1/contexts', { intent: 'after', seeds: SEEDS })
  const call = { intent: 'after that', seeds: SEEDS }
  const byMcp = await client.callTool({ name: 'plasm_context', arguments: call })
  const text =
    'store_replaced: The session store was deleted, replaced or truncated while the server runs: the change is not kept. Ask the operator to restart the server, then send the same call again.'
  expect([byHttp.status, await jsonOf(byHttp)]).toEqual([503, expect.objectContaining({ detail: text })])
  expect([byMcp.isError, textOf(byMcp)]).toEqual([true, `${text}\n`])
  await server.close()
  await rm(folder, { recursive: true, force: true })
})
