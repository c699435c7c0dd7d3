import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthTestServer, startAuthTestServer } from './auth-test-server.ts'
import { jsonOf, SEEDS, textOf } from './test-server.ts'

/* One person with a key for each use: the agent has one for MCP, and cannot approve what it runs. */

const WRITE = 'e1("c4").delete()'

let server: AuthTestServer
let agent: string
let approver: string
let reader: string
beforeAll(async () => {
  server = await startAuthTestServer({ auth: 'required', effects: { shop: 'confirm' } })
  agent = await server.keyOf('ann', undefined, ['mcp'])
  approver = await server.keyOf('ann', undefined, ['confirm'])
  reader = await server.keyOf('ann', undefined, ['http'])
})
afterAll(() => server.close())
beforeEach(() => server.writePolicy('default: allow'))

async function codeOf(answer: Response): Promise<readonly [number, string | undefined]> {
  const { code } = await jsonOf<{ readonly code?: string }>(answer)
  return [answer.status, code]
}

test('a key is good for its surface alone', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  for (const key of [approver, reader])
    expect(await codeOf(await server.send(key, 'POST', '/mcp', ping))).toEqual([403, 'key_limited'])
  for (const key of [agent, approver])
    expect(await codeOf(await server.send(key, 'GET', '/v1/contexts'))).toEqual([403, 'key_limited'])
  expect(await codeOf(await server.send(reader, 'GET', '/v1/contexts'))).toEqual([200, undefined])
})

test('an agent asks, another key approves, and the agent gets the outcome', async () => {
  const client = await server.client(agent)
  const call = async (name: string, input: Record<string, unknown>) =>
    textOf(await client.callTool({ name, arguments: input }))
  await call('plasm_context', { intent: 'tidy up', seeds: SEEDS })
  expect(await call('plasm', { logical_session_ref: 's0', program: WRITE })).toContain('pc1')
  const run = { logical_session_ref: 's0', program: WRITE, plan: 'pc1' }
  expect(await call('plasm_run', run)).toContain('not_confirmed')
  const path = '/v1/contexts/s0/run'
  expect(await codeOf(await server.send(approver, 'POST', path, { program: 'e1[id]' }))).toEqual([
    403,
    'key_limited',
  ])
  const asked = await jsonOf<{ readonly confirm: { readonly review: string; readonly code: string } }>(
    await server.send(approver, 'POST', path, { program: WRITE, plan: 'pc1' }),
  )
  expect(asked.confirm.review).toContain('WRITE shop.Customer customer_delete (id="c4")')
  const { code } = asked.confirm
  // A key that cannot approve gets no code, and the code of another key does not help it.
  for (const body of [
    { program: WRITE, plan: 'pc1' },
    { program: WRITE, plan: 'pc1', confirm: code },
  ]) {
    const refused = await server.send(reader, 'POST', path, body)
    expect([refused.status, await jsonOf(refused)]).toEqual([
      409,
      expect.not.objectContaining({ confirm: expect.anything() }),
    ])
  }
  expect(server.api.requests.filter((request) => request.startsWith('DELETE'))).toEqual([])
  const approved = await server.send(approver, 'POST', path, { program: WRITE, plan: 'pc1', confirm: code })
  expect(approved.status).toBe(200)
  expect(await call('plasm_run', run)).toContain('_Changes: 1 done._')
  expect(server.api.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(1)
})

test('metrics are for operators', async () => {
  const keys = [await server.keyOf('ops', 'ops'), await server.keyOf('ann')]
  const metrics = () => Promise.all(keys.map((key) => server.send(key, 'GET', '/metrics')))
  const refused = await metrics()
  expect(await Promise.all(refused.map(codeOf))).toEqual([
    [403, 'operators_only'],
    [403, 'operators_only'],
  ])
  await server.writePolicy('callers: [{ from: keys, tenant: ops, operator: true }]')
  expect((await metrics()).map(({ status }) => status)).toEqual([200, 403])
  await server.writePolicy('callers: [{ from: keys, tenant: ops, operator: false }]')
  expect((await metrics()).map(({ status }) => status)).toEqual([403, 403])
})
