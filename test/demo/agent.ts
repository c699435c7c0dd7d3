import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { seen, sent } from './show.ts'

/** What a call of a tool answered. */
interface Answer {
  readonly text: string
  readonly isError: boolean
  /** `_meta.plasm` */
  readonly meta: Readonly<Record<string, unknown>>
}

/** An agent's side of the conversation: calls tools, and shows what it sends and sees. */
export interface Agent {
  readonly call: (tool: string, input: Readonly<Record<string, unknown>>) => Promise<Answer>
  readonly tools: () => Promise<readonly string[]>
  readonly leave: () => Promise<void>
}

export async function agentOverHttp(url: string, token: string): Promise<Agent> {
  const client = new Client({ name: 'demo', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return agent(client)
}

/** The other way hosts do it: a process of their own for each agent. */
export async function agentOverStdio(command: string, args: readonly string[]): Promise<Agent> {
  const client = new Client({ name: 'demo', version: '1' })
  await client.connect(new StdioClientTransport({ command, args: [...args] }))
  return agent(client)
}

function agent(client: Client): Agent {
  return {
    call: async (tool, input) => {
      sent(tool, input)
      const answer = read(await client.callTool({ name: tool, arguments: { ...input } }))
      seen(answer.text)
      return answer
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    leave: () => client.close(),
  }
}

function read(result: CallToolResult): Answer {
  const [first] = result.content
  const { _meta: { plasm } = {} } = result
  return {
    text: first?.type === 'text' ? first.text : '',
    isError: result.isError === true,
    meta: { ...(typeof plasm === 'object' ? plasm : {}) },
  }
}
