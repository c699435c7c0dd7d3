import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, jsonOf, startTestServer, SEEDS } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const open = (intent: string, seeds: readonly object[] = SEEDS) =>
  server.send('POST', '/v1/contexts', { intent, seeds })

test('opens with 201, repeats with 200', async () => {
  const opened = await open('first')
  const body = await jsonOf<Record<string, unknown>>(opened)
  expect([opened.status, opened.headers.get('location')]).toEqual([
    201,
    expect.stringMatching(/^\/v1\/contexts\/s\d+$/),
  ])
  expect(body).toEqual({
    text: expect.stringMatching(/^`s\d+`\n\n```tsv\n/),
    reused: false,
    prompt_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    session: expect.stringMatching(/^[0-9a-f]{32}$/),
    _meta: { plasm: expect.objectContaining({ domain_revision: 1 }) },
  })
  const again = await open('first')
  expect(again.status).toBe(200)
  expect(await again.json()).toMatchObject({
    reused: true,
    prompt_hash: body['prompt_hash'],
    session: body['session'],
  })
  expect(again.headers.get('location')).toBe(opened.headers.get('location'))
})

test('opens by its seeds where there is no intent', async () => {
  const openBySeeds = async (...entities: readonly string[]) => {
    const seeds = entities.map((entity) => ({ api: 'shop', entity }))
    const response = await server.send('POST', '/v1/contexts', { seeds })
    return { status: response.status, ...(await jsonOf<{ text: string; session: string }>(response)) }
  }
  const first = await openBySeeds('Product', 'Customer')
  expect([first.status, first.text]).toEqual([201, expect.stringMatching(/^`s\d+`\n\n```tsv\n/)])
  const [ref] = first.text.split('\n')
  const again = await openBySeeds('Customer', 'Product')
  expect(again).toMatchObject({ status: 200, reused: true, session: first.session })
  expect(again.text).toBe(
    `${ref}\n\n_Session unchanged (\`e1\`…\`e2\`). Use \`plasm\` / \`plasm_run\` with this logical_session_ref._ Missing rows? Call again with have = the last e# you hold all rows of, or "none".\n`,
  )
  expect(await openBySeeds('Customer')).toMatchObject({ status: 201, reused: false })
})

test('shows, extends, lists and closes a session', async () => {
  const location = (await open('second')).headers.get('location') ?? ''
  const ref = location.split('/').at(-1)
  const shown = await jsonOf<{ readonly long_ref: string }>(await server.send('GET', location))
  expect(shown).toEqual({
    logical_session_ref: ref,
    long_ref: expect.stringMatching(/^l_[\w-]{22}$/),
    alive: true,
    prompt_hash: expect.any(String),
    session: expect.any(String),
    domain_revision: 1,
    intent: 'second',
    entities: [{ symbol: 'e1', api: 'shop', entity: 'Customer', live: true }],
  })

  const extended = await server.send('POST', `/v1/contexts/${shown.long_ref}/seeds`, {
    seeds: [{ api: 'shop', entity: 'Product' }],
  })
  expect(extended.status).toBe(200)
  const { text } = await jsonOf<{ readonly text: string }>(extended)
  expect(text).toContain('e2')
  expect(await (await server.send('GET', location)).json()).toMatchObject({
    domain_revision: 2,
    entities: [{ symbol: 'e1' }, { symbol: 'e2', entity: 'Product' }],
  })

  const { sessions } = await jsonOf<{
    readonly sessions: readonly object[]
  }>(await server.send('GET', '/v1/contexts'))
  expect(sessions[0]).toMatchObject({ logical_session_ref: ref })

  expect((await server.send('DELETE', location)).status).toBe(204)
  expect((await server.send('GET', location)).status).toBe(404)
  expect((await server.send('DELETE', location)).status).toBe(404)
})

test('gives the whole table, fenced or bare', async () => {
  const opened = await open('third')
  const { text } = await jsonOf<{ readonly text: string }>(opened)
  const path = `${opened.headers.get('location')}/table`
  const markdown = await server.send('GET', path, undefined, { accept: 'text/markdown' })
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await markdown.text()).toBe(text)
  const tsv = await server.send('GET', path)
  expect(tsv.headers.get('content-type')).toBe('text/tab-separated-values; charset=utf-8')
  const lines = (await tsv.text()).split('\n')
  expect(lines[0]).toBe('plasm_expr\tMeaning')
  expect(lines.every((line) => line.includes('\t'))).toBe(true)
  expect((await server.send('GET', path, undefined, { accept: 'image/png' })).status).toBe(406)
})

test('finds what fits a goal', async () => {
  const found = await server.send('POST', '/v1/discover', { intent: 'list customers of the shop' })
  expect(found.status).toBe(200)
  expect(await found.json()).toMatchObject({
    text: expect.stringContaining('api\tentity\tfit\tdescription'),
    rows: expect.arrayContaining([
      { api: 'shop', entity: 'Customer', fit: 'strong', description: expect.any(String), also: [] },
    ]),
  })
  const registry = await jsonOf<{
    readonly entries: readonly object[]
  }>(await server.send('GET', '/v1/registry'))
  expect(registry.entries).toMatchObject([
    { entry_id: 'shop', catalog_cgs_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ])
})
