import type { Caller } from '../../engine/index.ts'
import { sdkOverHttp } from './adapter.ts'
import type { McpParts } from './tool-calls.ts'

/** A version that every client of the stateful era knows. */
const VERSION = '2025-06-18'

/** Speaks the protocol with this server in this process: greets it and lists its tools. Rejects if an answer is an error. */
export async function mcpRoundTrip(parts: McpParts, caller: Caller): Promise<void> {
  const mcp = sdkOverHttp(parts)
  const clientInfo = { name: 'doctor', version: parts.version }
  const greeting = { protocolVersion: VERSION, capabilities: {}, clientInfo }
  try {
    for (const [method, params] of [
      ['initialize', greeting],
      ['tools/list', {}],
    ] as const) {
      const request = new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      const answer = await mcp.fetch(request, { caller, announced: {}, onWritten: () => undefined })
      if (!(answer instanceof Response) || answer.status !== 200)
        throw new Error(`\`${method}\` was not answered`)
    }
  } finally {
    await mcp.close()
  }
}
