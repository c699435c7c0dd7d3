import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import {
  type Caller,
  type CallOptions,
  type Gateway,
  LOCAL_USER,
  type Reply,
} from '../../../src/engine/index.ts'
import { httpApp } from '../../../src/surfaces/http/app.ts'
import { listen } from '../../../src/surfaces/http/listen.ts'
import {
  type McpOverHttp,
  mcpOverHttp,
  type SdkOverHttp,
  sdkOverHttp,
} from '../../../src/surfaces/mcp/adapter.ts'
import type { McpParts } from '../../../src/surfaces/mcp/tool-calls.ts'
import type { McpRequest } from './requests.ts'

/** What a request led to, as far as anyone can see it. */
interface Seen {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
  /** The calls that the engine got. */
  readonly calls: readonly string[]
  /** How often a failure was reported. */
  readonly reports: number
}

/** A listening server over a stub of the engine that answers by the `mood` of its input. */
export interface Twin {
  readonly send: (request: McpRequest) => Promise<Seen>
  /** How many answers that taught something were written. */
  readonly delivered: () => number
  /** How many requests reached the SDK. */
  readonly reachedSdk: () => number
  readonly close: () => Promise<void>
}

/** Two servers over the same stub: one as it is, one that leaves everything to the SDK. */
export async function twins(): Promise<{ readonly ours: Twin; readonly sdk: Twin }> {
  return { ours: await twin((parts, sdk) => mcpOverHttp(parts, sdk)), sdk: await twin((_, sdk) => sdk) }
}

async function twin(
  over: (parts: McpParts, sdk: SdkOverHttp) => SdkOverHttp & Partial<McpOverHttp>,
): Promise<Twin> {
  const calls: string[] = []
  let [reports, delivered, reached] = [0, 0, 0]
  const gateway = stub(calls, () => void delivered++)
  const report = () => void reports++
  const parts = { gateway, version: '1.2.3', report }
  const plain = sdkOverHttp(parts)
  const counted: SdkOverHttp = {
    ...plain,
    fetch: (asked, options) => {
      reached++
      return plain.fetch(asked, options)
    },
  }
  const mcp = over(parts, counted)
  const verify = async (token: string | undefined) => (token === undefined ? LOCAL_USER : null)
  const app = httpApp({
    gateway,
    verifier: { verify },
    hosts: [],
    version: '1',
    mcp,
    faulty: async () => [],
    report,
  })
  const server = await listen(app, { host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: async (asked) => {
      const [firstCall, firstReport] = [calls.length, reports]
      const answer = await exchange(server.url, asked, agent)
      return { ...answer, calls: calls.slice(firstCall), reports: reports - firstReport }
    },
    delivered: () => delivered,
    reachedSdk: () => reached,
    close: async () => {
      agent.destroy()
      await server.close(0)
      await mcp.close()
    },
  }
}

async function exchange(url: string, asked: McpRequest, agent: Agent) {
  const { method, headers, body, isChunked } = asked
  const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(body.length) }
  const sent = request(`${url}/mcp`, { method, agent, headers: { ...headers, ...length } })
  sent.end(body)
  const [incoming] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  await setImmediate()
  // How a body is framed is not what it says; nor is the time of day.
  const { date, 'content-length': _, 'transfer-encoding': __, ...said } = incoming.headers
  return {
    status: incoming.statusCode,
    headers: { ...said, date: typeof date },
    body: Buffer.concat(chunks).toString('latin1'),
  }
}

function stub(calls: string[], onDelivered: () => void): Gateway {
  const answer = (tool: string, input: unknown, { announced }: CallOptions = {}): Reply<never> => {
    calls.push(`${tool} ${JSON.stringify(input)} in ${JSON.stringify(announced)}`)
    const mood = typeof input === 'object' && input && 'mood' in input ? input.mood : undefined
    const text = `${tool}: ${JSON.stringify(input)}\n`
    if (mood === 'fail') throw new Error('the stub fails')
    if (mood === 'away') throw Object.assign(new Error('the store is away'), { retryable: true })
    if (mood === 'refuse') return { ok: false, text, problems: [] }
    if (mood === 'ask')
      return { ok: false, text, problems: [], confirm: { plan: 'pc1', review: text, code: 'the code' } }
    const reply = { ok: true, text, meta: { logical_session_ref: 's0', said: text, n: [1, null] } } as const
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no surface of MCP reads the facts
    const told = { ...reply, facts: undefined as never }
    return mood === 'teach' ? { ...told, markDelivered: async () => onDelivered() } : told
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- MCP calls no other method
  return {
    context: async (_: Caller, input: unknown, options?: CallOptions) => answer('context', input, options),
    discover: async (_: Caller, input: unknown, options?: CallOptions) => answer('discover', input, options),
    plan: async (_: Caller, input: unknown, options?: CallOptions) => answer('plan', input, options),
    run: async (_: Caller, input: unknown, options?: CallOptions) => answer('run', input, options),
    snapshot: async (_: Caller, uri: string) => answer('snapshot', { uri }),
  } as unknown as Gateway
}
