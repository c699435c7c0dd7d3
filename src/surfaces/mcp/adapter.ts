import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type AuthInfo,
  type CallToolResult,
  type InputRequiredResult,
  type McpRequestContext,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { oneOf, type Problem, sentences } from '../../base/diagnostic.ts'
import { nearest } from '../../base/suggest.ts'
import { type Caller, type Gateway, passingProblem, type Reply } from '../../engine/index.ts'
import { askFor, canAsk, wordIn } from './confirm.ts'
import { INSTRUCTIONS, TOOLS, type ToolName } from './tools.ts'
import { WatchedStdio } from './watched-stdio.ts'

/*
 * Only this file and `confirm.ts` speak to the SDK. Both eras of the protocol are served from one factory, and nothing is kept
 * between calls: a session is named by its argument, never by the connection.
 */

/** What this surface needs of the rest. */
export interface McpParts {
  readonly gateway: Gateway
  readonly version: string
  /** Told of our own failures; the caller is told only that there was one. */
  readonly report: (error: unknown) => void
}

/** MCP over HTTP, to be mounted under a path of whoever checks hosts, origins and credentials. */
export interface McpOverHttp {
  readonly fetch: (request: Request, exchange: Exchange) => Promise<Response>
  readonly close: () => Promise<void>
}

/** Who is calling, and how to learn that an answer was written in full. */
interface Exchange {
  readonly caller: Caller
  /** Calls back once the answer to the request of this id was handed to the operating system. */
  readonly onWritten: (callback: () => void, id: string | number) => void
}

const FIVE_MINUTES = { ttlMs: 300_000, cacheScope: 'public' } as const
const TOOL_LIST = { tools: TOOLS.map((tool) => ({ ...tool })) }
const TEMPLATE = {
  name: 'plasm_result',
  uriTemplate: 'plasm://session/{logical_session_ref}/r/{n}',
  description: 'Every row of a result that plasm_run linked to',
  mimeType: 'application/json',
}

/** Serves Streamable HTTP: a stateless exchange a request, in either era; no `Mcp-Session-Id`. */
export function mcpOverHttp(parts: McpParts): McpOverHttp {
  // The SDK hands our object through untouched, so that the caller needs no place among a client's own fields.
  const exchanges = new WeakMap<AuthInfo, Exchange>()
  const handler = createMcpHandler((context) => serverFor(parts, exchangeOf(context, exchanges)), {
    onerror: parts.report,
  })
  return {
    fetch: (request, exchange) => {
      const authInfo: AuthInfo = { token: '', clientId: '', scopes: [] }
      exchanges.set(authInfo, exchange)
      return handler.fetch(request, { authInfo })
    },
    close: () => handler.close(),
  }
}

/** Serves one connection over this process's own input and output, until `close`. */
export function mcpOverStdio(parts: McpParts, caller: Caller): { readonly close: () => Promise<void> } {
  const transport = new WatchedStdio()
  const exchange: Exchange = { caller, onWritten: (callback, id) => transport.onWritten(id, callback) }
  return serveStdio(() => serverFor(parts, exchange), { onerror: parts.report, transport })
}

function exchangeOf({ authInfo }: McpRequestContext, exchanges: WeakMap<AuthInfo, Exchange>): Exchange {
  const exchange = authInfo && exchanges.get(authInfo)
  if (!exchange) throw new Error('a request reached MCP without its caller')
  return exchange
}

/** A server for one exchange (HTTP) or one connection (stdio); the SDK wants a new one for each. */
function serverFor(parts: McpParts, exchange: Exchange): Server {
  const server = new Server(
    { name: 'plasmid', title: 'Plasmid', version: parts.version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'tools/list': FIVE_MINUTES,
        'resources/list': FIVE_MINUTES,
        'resources/templates/list': FIVE_MINUTES,
        'server/discover': FIVE_MINUTES,
      },
    },
  )
  server.setRequestHandler('tools/list', () => TOOL_LIST)
  server.setRequestHandler('tools/call', ({ params }, context) =>
    guarded(
      parts,
      () =>
        callTool(parts, exchange, params.name, params.arguments, context, () =>
          canAsk(context, server.getClientCapabilities()),
        ),
      (problem) => toolError(`${problem.code}: ${sentences(problem)}\n`),
    ),
  )
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [TEMPLATE] }))
  server.setRequestHandler('resources/read', ({ params }) =>
    guarded(parts, () => readResource(parts.gateway, exchange.caller, params.uri)),
  )
  return server
}

async function callTool(
  { gateway, report }: McpParts,
  { caller, onWritten }: Exchange,
  name: string,
  input: unknown,
  context: ServerContext,
  hasPerson: () => boolean,
): Promise<CallToolResult | InputRequiredResult> {
  switch (knownTool(name)) {
    case 'plasm_context': {
      const reply = await gateway.context(caller, input ?? {})
      if (reply.ok && reply.markDelivered) {
        const { markDelivered } = reply
        onWritten(() => void markDelivered().catch(report), context.mcpReq.id)
      }
      return toolResult(reply)
    }
    case 'discover_capabilities':
      return toolResult(await gateway.discover(caller, input ?? {}))
    case 'plasm':
      return toolResult(await gateway.plan(caller, input ?? {}))
    case 'plasm_run':
      return runProgram(gateway, caller, input ?? {}, context, hasPerson)
  }
}

/** Where a person has to agree and the client can ask one, the answer is the question; the call comes again with the word. */
async function runProgram(
  gateway: Gateway,
  caller: Caller,
  input: unknown,
  context: ServerContext,
  hasPerson: () => boolean,
): Promise<CallToolResult | InputRequiredResult> {
  const word = wordIn(context)
  const { signal } = context.mcpReq
  const confirmed = word.kind === 'agreed' ? word.code : undefined
  const reply = await gateway.run(caller, input, {
    signal,
    ...(confirmed === undefined ? {} : { confirmed }),
  })
  const isQuestion = !reply.ok && reply.confirm && word.kind === 'not_asked' && hasPerson()
  return isQuestion ? askFor(reply.confirm) : toolResult(reply)
}

function knownTool(name: string): ToolName {
  const names = TOOLS.map((tool) => tool.name)
  const known = names.find((one) => one === name)
  if (known) return known
  const [closest] = nearest(name, names, 1)
  const hint = closest === undefined ? `this server has ${oneOf(names)}` : `did you mean \`${closest}\`?`
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool \`${name}\`: ${hint}`)
}

/** The text and `_meta.plasm`, and nothing besides: hosts that show structured content drop the text. */
function toolResult(reply: Reply<unknown>): CallToolResult {
  if (!reply.ok) return toolError(reply.text)
  return { content: [{ type: 'text', text: reply.text }], _meta: { plasm: reply.meta } }
}

function toolError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

async function readResource(gateway: Gateway, caller: Caller, uri: string) {
  const reply = await gateway.snapshot(caller, uri)
  if (!reply.ok) throw new ResourceNotFoundError(uri, reply.text)
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(reply.facts.results) }] }
}

/**
 * What the engine throws is our own failure: it is reported here and named to nobody else, unless it passes by itself and
 * there is a word for that.
 */
async function guarded<T>(
  parts: McpParts,
  work: () => Promise<T>,
  inWords?: (problem: Problem) => T,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (ProtocolError.isInstance(error)) throw error
    parts.report(error)
    const passing = passingProblem(error)
    if (passing && inWords) return inWords(passing)
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'internal error: it was reported to the operator',
    )
  }
}
