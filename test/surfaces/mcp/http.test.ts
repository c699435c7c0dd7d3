import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metaOf, type TestServer, jsonOf, startTestServer, SEEDS, textOf } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe.each([
  ['legacy', '2025-11-25'],
  ['auto', '2026-07-28'],
] as const)('MCP over HTTP, %s', (mode, revision) => {
  test('speaks its revision and lists the tools', async () => {
    const client = await server.client(mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect(client.getServerVersion()).toEqual({ name: 'plasmid', title: 'Plasmid', version: '0.1.0' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'plasm_context',
      'discover_capabilities',
      'plasm',
      'plasm_run',
    ])
  })

  test('opens, repeats, checks and runs', async () => {
    const client = await server.client(mode)
    const intent = `all of it, ${mode}`
    const opened = await client.callTool({ name: 'plasm_context', arguments: { intent, seeds: SEEDS } })
    const [ref = ''] = /s\d+/.exec(textOf(opened)) ?? []
    expect(textOf(opened)).toMatch(/^`s\d+`\n\n```tsv\nplasm_expr\tMeaning\n/)
    expect(metaOf(opened)).toMatchObject({ plasm: { logical_session_ref: ref, domain_revision: 1 } })
    expect(opened.structuredContent).toBeUndefined()
    expect(opened.isError).toBeUndefined()

    const again = await client.callTool({ name: 'plasm_context', arguments: { intent, seeds: SEEDS } })
    expect(textOf(again)).toBe(
      `\`${ref}\`\n\n_Session unchanged (\`e1\`…\`e1\`). Use \`plasm\` / \`plasm_run\` with this logical_session_ref._ Missing rows? Call again with have = the last e# you hold all rows of, or "none".\n`,
    )

    const program = 'c = e1\nc[id, name]'
    const planned = await client.callTool({ name: 'plasm', arguments: { logical_session_ref: ref, program } })
    expect([planned.isError, textOf(planned)]).toEqual([undefined, expect.stringMatching(/^```text\n/)])
    const run = await client.callTool({ name: 'plasm_run', arguments: { logical_session_ref: ref, program } })
    expect(textOf(run)).toContain('Customer 3')
    expect(Object.keys(metaOf(run)?.['plasm'] ?? {})).toEqual(
      expect.arrayContaining(['logical_session_ref', 'steps', 'paging']),
    )
  })

  test('answers mistakes as results that say what to do', async () => {
    const client = await server.client(mode)
    const wrong = await client.callTool({
      name: 'plasm_context',
      arguments: {
        intent: 'x',
        seeds: [
          { api: 'shop', entity: 'Custmer' },
          { api: 'nothing', entity: 'A' },
        ],
      },
    })
    expect(wrong.isError).toBe(true)
    expect(textOf(wrong)).toContain('nearest: `Customer`')
    expect(textOf(wrong)).toContain('unknown_api at seeds[1].api')
    const untyped = await client.callTool({ name: 'plasm_run', arguments: { program: 7 } })
    expect(untyped.isError).toBe(true)
    const bare = await client.callTool({ name: 'plasm_context' })
    expect(bare.isError).toBe(true)
    expect(textOf(bare)).toContain('missing_intent')
  })

  test('names the nearest tool', async () => {
    const client = await server.client(mode)
    await expect(client.callTool({ name: 'plasm_contxt' })).rejects.toMatchObject({
      code: -32602,
      message: 'unknown tool `plasm_contxt`: did you mean `plasm_context`?',
    })
  })

  test('reads snapshots as resources', async () => {
    const client = await server.client(mode)
    const intent = `snapshots, ${mode}`
    const ref = await refOf(client, intent)
    const run = await client.callTool({
      name: 'plasm_run',
      arguments: { logical_session_ref: ref, program: 'e1("c7")[id, notes]' },
    })
    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resources).toEqual([])
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'plasm://session/{logical_session_ref}/r/{n}',
    ])
    const uri = `plasm://session/${ref}/r/1`
    expect(run.isError).toBeUndefined()
    const { contents } = await client.readResource({ uri })
    expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }])
    expect(JSON.stringify(contents)).toContain('word '.repeat(200))
    await expect(client.readResource({ uri: `plasm://session/${ref}/r/99` })).rejects.toMatchObject({
      code: -32602,
    })
  })
})

async function refOf(client: Awaited<ReturnType<TestServer['client']>>, intent: string): Promise<string> {
  const opened = await client.callTool({ name: 'plasm_context', arguments: { intent, seeds: SEEDS } })
  return /s\d+/.exec(textOf(opened))?.[0] ?? ''
}

describe('MCP over HTTP', () => {
  test('knows a session on every connection and surface', async () => {
    const [old, modern] = [await server.client('legacy'), await server.client('auto')]
    const ref = await refOf(old, 'one goal')
    expect(await refOf(modern, ' one goal ')).toBe(ref)
    const http = await server.send('POST', '/v1/contexts', { intent: 'one goal', seeds: SEEDS })
    const { text, ...rest } = await jsonOf<{ readonly text: string }>(http)
    const args = { intent: 'one goal', seeds: SEEDS }
    const [a, b] = [
      await old.callTool({ name: 'plasm_context', arguments: args }),
      await modern.callTool({ name: 'plasm_context', arguments: args }),
    ]
    expect([textOf(a), textOf(b)]).toEqual([text, text])
    expect(metaOf(a)).toEqual({ plasm: expect.objectContaining({ logical_session_ref: ref }) })
    expect(rest).toMatchObject({ reused: true, _meta: metaOf(a) })
  })

  test('never gives a session id of the transport', async () => {
    const response = await server.send('POST', '/mcp', initialize, {
      accept: 'application/json, text/event-stream',
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('mcp-session-id')).toBeNull()
    expect(await response.text()).toContain('"protocolVersion":"2025-11-25"')
    expect((await server.send('GET', '/mcp', undefined, { accept: 'text/event-stream' })).status).toBe(405)
    expect((await server.send('DELETE', '/mcp')).status).toBe(405)
  })

  test('gives every client the same list, byte for byte', async () => {
    const bodies = await Promise.all(
      [1, 2].map(async () => {
        const response = await server.send('POST', '/mcp', list, {
          accept: 'application/json, text/event-stream',
        })
        return response.text()
      }),
    )
    expect(bodies[0]).toContain('plasm_context')
    expect(bodies[1]).toBe(bodies[0])
  })

  test('refuses every request without the token', async () => {
    const response = await fetch(`${server.url}/mcp`, { method: 'POST', body: '{}' })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="plasmid"',
    ])
  })
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
