import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestServer, jsonOf, startTestServer, linesOf, SEEDS, textOf } from '../test-server.ts'

let server: TestServer
let ref: string
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async ({ task }) => {
  const opened = await server.send('POST', '/v1/contexts', { intent: task.name, seeds: SEEDS })
  ref = opened.headers.get('location')?.split('/').at(-1) ?? ''
})
afterAll(() => server.close())

const run = (body: string | object, headers: Record<string, string> = {}) =>
  server.send('POST', `/v1/contexts/${ref}/run`, body, headers)
const ALL = 'e1[id, name]'

test('answers rows as JSON', async () => {
  const response = await run({ program: ALL })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    logical_session_ref: ref,
    results: [
      {
        api: 'shop',
        entity: 'Customer',
        columns: ['id', 'name'],
        rows: expect.arrayContaining([{ id: 'c1', name: 'Customer 1' }]),
      },
    ],
    effects: [],
  })
})

test("answers MCP's text, byte for byte", async () => {
  const program = 'c = e1("c2")\nc[id, name]'
  const markdown = await run(program, { 'content-type': 'text/plain', accept: 'text/markdown' })
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  const client = await server.client('auto')
  const same = await client.callTool({ name: 'plasm_run', arguments: { logical_session_ref: ref, program } })
  expect((await markdown.text()).replace('/r/1', '/r/2')).toBe(textOf(same))
})

test('answers one row a line', async () => {
  const response = await run('e1.limit(2)[id]', {
    'content-type': 'text/plain',
    accept: 'application/x-ndjson',
  })
  expect(linesOf(await response.text())).toMatchObject([{ row: { id: 'c1' } }, { row: { id: 'c2' } }])
})

interface Run {
  readonly results: readonly {
    readonly rows: readonly object[]
    readonly next_page?: string
    readonly snapshot?: string
  }[]
}

test('pages on by handle', async () => {
  const { results } = await jsonOf<Run>(await run({ program: 'e1.page_size(2)[id]' }))
  const handle = results[0]?.next_page
  expect([handle, results[0]?.rows.length]).toEqual([
    expect.stringMatching(/^s\d+_pg\d+$/),
    expect.any(Number),
  ])
  const page = await server.send('GET', `/v1/pages/${handle}?limit=1`)
  expect([page.status, await page.json()]).toMatchObject([200, { results: [{ rows: [{ id: 'c3' }] }] }])
})

test('keeps what a text cannot show', async () => {
  const { results } = await jsonOf<Run>(await run({ program: 'e1("c7")[id, notes]' }))
  expect(results[0]?.snapshot).toBe(`plasm://session/${ref}/r/1`)
  const snapshot = await server.send('GET', `/v1/contexts/${ref}/snapshots/1`)
  expect([snapshot.status, await snapshot.json()]).toMatchObject([
    200,
    { uri: `plasm://session/${ref}/r/1`, results: [{ rows: [{ id: 'c7', notes: 'word '.repeat(200) }] }] },
  ])
})

test('writes once, by the plan that was reviewed', async () => {
  const program = 'e1("c3").delete()'
  const refused = await run({ program })
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'plan_required' }])
  const planned = await server.send('POST', `/v1/contexts/${ref}/plan`, { program })
  const { plan, text } = await jsonOf<{ readonly plan: string; readonly text: string }>(planned)
  expect([planned.status, plan, text]).toEqual([200, 'pc1', expect.stringContaining('pc1')])
  expect(server.api.requests.filter((request) => request.startsWith('DELETE'))).toEqual([])
  const first = await run({ program, plan })
  expect([first.status, await first.json()]).toMatchObject([
    200,
    { effects: [{ api: 'shop', state: 'done' }] },
  ])
  const second = await server.send('POST', `/v1/contexts/${ref}/run?plan=${plan}`, program, {
    'content-type': 'text/plain',
  })
  expect(second.status).toBe(200)
  expect(server.api.requests.filter((request) => request.startsWith('DELETE'))).toEqual([
    'DELETE /v1/customers/c3',
  ])
})

test('runs by the code what a person has to agree to', async () => {
  const own = await startTestServer({ effects: { shop: 'confirm' } })
  const post = (path: string, body: object) => own.send('POST', `/v1/contexts${path}`, body)
  await post('', { intent: 'confirmed', seeds: SEEDS })
  const program = 'e1("c3").delete()'
  await post('/s0/plan', { program })
  for (const confirm of [undefined, true, 'f'.repeat(32)]) {
    const refused = await post('/s0/run', { program, plan: 'pc1', confirm })
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      {
        code: 'not_confirmed',
        confirm: { plan: 'pc1', review: expect.stringContaining('warn: writes shop:customer_delete') },
      },
    ])
  }
  expect(own.api.requests).toEqual([])
  const asked = await post('/s0/run', { program, plan: 'pc1' })
  const { confirm } = await jsonOf<{ readonly confirm: { readonly code: string } }>(asked)
  const text = { 'content-type': 'text/plain' }
  const path = `/v1/contexts/s0/run?plan=pc1&confirm=${confirm.code}`
  const done = await own.send('POST', path, program, text)
  expect([done.status, await done.json()]).toMatchObject([200, { effects: [{ state: 'done' }] }])
  expect(own.api.requests).toEqual(['DELETE /v1/customers/c3'])
  await own.close()
})

test('explains a program that does not check', async () => {
  const before = server.api.requests.length
  const response = await run({ program: 'e1[nmae]' })
  const body = await jsonOf<{ readonly problems: readonly object[]; readonly detail: string }>(response)
  expect([response.status, body.problems[0]]).toMatchObject([
    400,
    { code: 'unknown_field', nearest: ['name'] },
  ])
  expect(body.detail).toContain('name')
  expect(server.api.requests.length).toBe(before)
})

test('stops reading when the client leaves', async () => {
  server.api.hang = true
  const leave = new AbortController()
  const hanging = server.api.hanging()
  const gone = fetch(`${server.url}/v1/contexts/${ref}/run`, {
    method: 'POST',
    body: ALL,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'text/plain' },
    signal: leave.signal,
  })
  await hanging
  leave.abort()
  await expect(gone).rejects.toThrow('aborted')
  await expect.poll(() => server.api.aborted()).toBe(1)
  server.api.hang = false
})
