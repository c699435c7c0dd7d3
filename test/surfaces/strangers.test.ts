import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAuthTestServer, type AuthTestServer } from './auth-test-server.ts'
import { jsonOf, SEEDS, textOf } from './test-server.ts'

/* Two people with a key each. One has a session, a plan, a page, a snapshot and a trace; the other knows all their names. */

const WRITE = 'e1("c4").delete()'

let server: AuthTestServer
let alice: string
let eve: string
let longRef: string
let trace: string
beforeAll(async () => {
  server = await startAuthTestServer({ auth: 'required' })
  alice = await server.keyOf('alice', 'acme')
  eve = await server.keyOf('eve', 'acme')
  await server.send(alice, 'POST', '/v1/contexts', { intent: 'mine', seeds: SEEDS })
  await server.send(alice, 'POST', '/v1/contexts/s0/plan', { program: WRITE })
  const ran = await server.send(alice, 'POST', '/v1/contexts/s0/run', { program: 'e1[id, notes]' })
  expect(await ran.text()).toMatch(/s0_pg1[^]*plasm:\/\/session\/s0\/r\/1/)
  ;({ long_ref: longRef } = await jsonOf<{ readonly long_ref: string }>(
    await server.send(alice, 'GET', '/v1/contexts/s0'),
  ))
  const traces = await jsonOf<{ readonly traces: readonly { readonly trace_id: string }[] }>(
    await server.send(alice, 'GET', '/v1/traces'),
  )
  trace = traces.traces[0]?.trace_id ?? ''
  expect((await server.send(alice, 'GET', `/v1/traces/${trace}`)).status).toBe(200)
  await server.send(eve, 'POST', '/v1/contexts', { intent: 'hers', seeds: SEEDS })
})
afterAll(() => server.close())

/** What the other gets: its status, and its text without the names that she sent. */
async function got(method: string, path: string, body?: object): Promise<readonly [number, string]> {
  const response = await server.send(eve, method, path, body)
  const named = /(?:l_[\w-]{22}|s\d+_pg\d+|pc\d+|[0-9a-f-]{36}|\/r\/\d+|\/snapshots\/\d+)/g
  return [response.status, (await response.text()).replaceAll(named, 'NAME')]
}

const NOBODY = `l_${'A'.repeat(22)}`
const NO_TRACE = '01234567-89ab-5def-8123-456789abcdef'

const reached: readonly (readonly [string, method: string, path: string, body?: object])[] = [
  ['a plan in the session of its owner', 'POST', '/v1/contexts/REF/run', { program: WRITE, plan: 'pc1' }],
  ['a snapshot by the long ref', 'GET', '/v1/contexts/REF/snapshots/1'],
  ['a snapshot of the same name', 'GET', '/v1/contexts/s0/snapshots/NUMBER'],
  ['a page of the same name', 'GET', '/v1/pages/s0_pgNUMBER'],
  ['a trace', 'GET', '/v1/traces/TRACE'],
  ['a trace as it goes on', 'GET', '/v1/traces/TRACE/stream'],
  ['a session to fork', 'POST', '/v1/contexts', { intent: 'fork', seeds: SEEDS, fork_of: 'REF' }],
]

const rows = reached.map(([what, method, path, body]) => ({ what, method, path, body }))

test.each(rows)('$what is as unknown as what is not there', async ({ method, path, body }) => {
  const ask = (names: Readonly<Record<string, string>>) => {
    const named = (text: string) => text.replace(/REF|NUMBER|TRACE/g, (hole) => names[hole] ?? '')
    const sent: object | undefined = body && JSON.parse(named(JSON.stringify(body)))
    return got(method, named(path), sent)
  }
  const theirs = await ask({ REF: longRef, NUMBER: '1', TRACE: trace })
  expect(theirs).toEqual(await ask({ REF: NOBODY, NUMBER: '9', TRACE: NO_TRACE }))
  expect(theirs[0]).toBe(404)
})

test('a plan of the same name is another one', async () => {
  const answer = await server.send(eve, 'POST', '/v1/contexts/s0/run', { program: WRITE, plan: 'pc1' })
  expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'unknown_plan' }])
  expect(server.api.requests.filter((request) => request.startsWith('DELETE'))).toEqual([])
})

test('links and pages lead nowhere over MCP as well', async () => {
  const client = await server.client(eve)
  for (const ref of ['s0', longRef])
    await expect(client.readResource({ uri: `plasm://session/${ref}/r/1` })).rejects.toThrow(
      /unknown_(?:snapshot|session)/,
    )
  const program = { logical_session_ref: 's0', program: 'page(s0_pg1)' }
  const page = await client.callTool({ name: 'plasm_run', arguments: program })
  expect([page.isError, textOf(page)]).toEqual([true, expect.stringContaining('page_unknown')])
  expect(textOf(page)).not.toContain('c4')
})

test('lists hold what is her own', async () => {
  for (const path of ['/v1/contexts', '/v1/traces']) {
    const text = await (await server.send(eve, 'GET', path)).text()
    expect(text).not.toContain(longRef)
    expect(text).not.toContain(trace)
    expect(text).not.toContain('mine')
  }
})

test('a revoked caller reads nothing more, and continues once restored', async () => {
  const paths = [
    '/v1/pages/s0_pg1',
    '/v1/contexts/s0/snapshots/1',
    `/v1/traces/${trace}`,
    '/v1/contexts/s0/table',
  ]
  const statuses = () =>
    Promise.all(paths.map(async (path) => (await server.send(alice, 'GET', path)).status))
  expect(await statuses()).toEqual([200, 200, 200, 200])
  const before = server.api.requests.length
  await server.writePolicy('callers: [{ from: keys, tenant: acme, revoked_before: "2999-01-01T00:00:00Z" }]')
  expect(await statuses()).toEqual([401, 401, 401, 401])
  expect(server.api.requests.length).toBe(before)
  await server.writePolicy('default: allow')
  expect(await statuses()).toEqual([200, 200, 200, 200])
})
