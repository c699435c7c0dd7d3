import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { httpApp } from '../src/surfaces/http/app.ts'
import { TOOLS } from '../src/surfaces/mcp/tools.ts'
import { REPEATED, type House } from './house.ts'
import type { Contest } from './measure.ts'

type Fetch = (request: Request) => Response | Promise<Response>

/** The eras of the protocol: one that opens with a handshake, and one that needs none. */
const ERAS = { '2025': 'legacy', '2026': 'auto' } as const

/**
 * A repeated `plasm_context` over MCP, against a tool that only echoes: on the same path behind the same guards, beside
 * the same four tools. The requests are what the official client sends.
 */
export async function mcpContext(house: House, era: keyof typeof ERAS): Promise<Contest> {
  const first = await house.gateway.context(house.caller, REPEATED)
  const echo = echoApp(house, first.text)
  const ours = await recorded(house.fetch, house.token, 'plasm_context', era)
  const base = await recorded(echo, house.token, 'echo', era)
  return {
    name: `plasm_context over MCP (${era}) / echo tool`,
    store: house.store,
    ours: async () => (await house.fetch(ours())).text(),
    base: async () => (await echo(base())).text(),
    ...(house.store === 'memory' && { bound: 1.15 }),
  }
}

function echoApp(house: House, text: string): Fetch {
  const tool = { name: 'echo', description: 'Echo', inputSchema: { type: 'object' as const } }
  const tools = [...TOOLS.map((one) => ({ ...one })), tool]
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {}, resources: {} } })
    server.setRequestHandler('tools/list', () => ({ tools }))
    server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text }] }))
    return server
  })
  const app = httpApp({
    gateway: house.gateway,
    verifier: house.verifier,
    hosts: ['127.0.0.1'],
    version: '1',
    mcp: (request) => handler.fetch(request, { authInfo: { token: '', clientId: '', scopes: [] } }),
    report: (error) => {
      throw error
    },
  })
  return (request) => app.fetch(request)
}

/** The request by which the client calls the tool, to be sent again and again. */
async function recorded(
  fetch: Fetch,
  token: string,
  tool: string,
  era: keyof typeof ERAS,
): Promise<() => Request> {
  const sent: { readonly headers: Headers; readonly body: string }[] = []
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: ERAS[era] } })
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${token}`, host: '127.0.0.1' } },
    fetch: async (url, init) => {
      const request = new Request(url, init)
      if (init?.method === 'POST') sent.push({ headers: request.headers, body: await request.clone().text() })
      return fetch(request)
    },
  })
  await client.connect(transport)
  const answer = await client.callTool({ name: tool, arguments: REPEATED })
  await client.close()
  const call = sent.findLast(({ body }) => body.includes('"tools/call"'))
  if (!call || answer.isError === true) throw new Error(`${tool} could not be called over MCP`)
  const headers = new Headers(call.headers)
  headers.set('host', '127.0.0.1')
  return () => new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: call.body })
}
