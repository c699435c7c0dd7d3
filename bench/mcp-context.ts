import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { fetch } from 'undici'
import { httpApp } from '../src/surfaces/http/app.ts'
import { TOOLS } from '../src/surfaces/mcp/tools.ts'
import { listen } from '../src/surfaces/http/listen.ts'
import type { LoadClient } from './client.ts'
import { REPEATED, type BenchServer } from './server.ts'
import type { RecordedRequest } from './load.ts'
import type { Contest } from './measure.ts'

/** The eras of the protocol: one that opens with a handshake, and one that needs none. */
const ERAS = { '2025': 'legacy', '2026': 'auto' } as const

/**
 * A repeated `plasm_context` over MCP, against a tool that only echoes: on the same path behind the same guards, beside
 * the same four tools. The requests are what the official client sends.
 */
export async function mcpContext(
  server: BenchServer,
  era: keyof typeof ERAS,
  client: LoadClient,
): Promise<Contest> {
  const first = await server.gateway.context(server.caller, REPEATED)
  const echo = await listen(echoApp(server, first.text), { host: '127.0.0.1', port: 0 })
  const ours = await recorded(server.url, server.token, 'plasm_context', era)
  const base = await recorded(echo.url, server.token, 'echo', era)
  return {
    ours: (calls) => client.send(ours, calls),
    base: (calls) => client.send(base, calls),
    close: () => echo.close(0),
    ...(server.store === 'memory' && { bound: 0.2 }),
  }
}

function echoApp(server: BenchServer, text: string): ReturnType<typeof httpApp> {
  const tool = { name: 'echo', description: 'Echo', inputSchema: { type: 'object' as const } }
  const tools = [...TOOLS.map((one) => ({ ...one })), tool]
  const handler = createMcpHandler(() => {
    const echo = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {}, resources: {} } })
    echo.setRequestHandler('tools/list', () => ({ tools }))
    echo.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text }] }))
    return echo
  })
  return httpApp({
    gateway: server.gateway,
    verifier: server.verifier,
    hosts: ['127.0.0.1'],
    version: '1',
    faulty: async () => [],
    mcp: {
      fetch: (request) => handler.fetch(request, { authInfo: { token: '', clientId: '', scopes: [] } }),
    },
    report: (error) => {
      throw error
    },
  })
}

/** Undici's own: the global `fetch` would use the dispatcher that this version of undici set. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- two declarations of one standard
const fetchByUndici = fetch as unknown as typeof globalThis.fetch

/** The request by which the client calls the tool, to be sent again and again. */
async function recorded(
  url: string,
  token: string,
  tool: string,
  era: keyof typeof ERAS,
): Promise<RecordedRequest> {
  const sent: { readonly headers: Headers; readonly body: string }[] = []
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: ERAS[era] } })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (target, init) => {
      if (init?.method === 'POST' && typeof init.body === 'string')
        sent.push({ headers: new Headers(init.headers), body: init.body })
      return fetchByUndici(target, init)
    },
  })
  await client.connect(transport)
  const answer = await client.callTool({ name: tool, arguments: REPEATED })
  await client.close()
  const call = sent.findLast(({ body }) => body.includes('"tools/call"'))
  if (!call || answer.isError === true) throw new Error(`${tool} could not be called over MCP`)
  const length = String(Buffer.byteLength(call.body))
  return {
    url: `${url}/mcp`,
    headers: { ...Object.fromEntries(call.headers), 'content-length': length },
    body: call.body,
  }
}
