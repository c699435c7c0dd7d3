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
import { oneOf } from '../../base/diagnostic.ts'
import { oneLine } from '../../base/text/one-line.ts'
import { nearest } from '../../base/suggest.ts'
import { announcedOver, type Caller, type Gateway, readAnnounced } from '../../engine/index.ts'
import { askFor, canAsk, wordIn } from './confirm.ts'
import { withCheckedBody } from './checked-body.ts'
import { directly } from './direct/direct.ts'
import { ANNOUNCED, CACHEABLE, serverInfo, TOOL_LIST } from './identity.ts'
import {
  answerQuietCall,
  type Exchange,
  guarded,
  type McpParts,
  type QuietCall,
  refusal,
  type ToolReply,
} from './tool-calls.ts'
import { TOOLS, type ToolName } from './tools.ts'
import { WatchedStdio } from './watched-stdio.ts'

/*
 * Serves both eras of the protocol through the SDK from one factory. No state is kept between calls: an argument names the
 * session, never the connection. The most frequent calls on a socket are answered without the SDK, in `direct`.
 */

/** MCP over HTTP by the SDK alone, to be mounted behind checks of hosts, origins and credentials. */
export interface SdkOverHttp {
  readonly fetch: (request: Request, exchange: Exchange) => Promise<Response>
  readonly close: () => Promise<void>
}

/** The same, and the most frequent calls without the SDK, for a surface that reads their bodies itself. */
export interface McpOverHttp extends SdkOverHttp {
  /** The call that the body of a POST holds; undefined if `fetch` answers it. Has no effects. */
  readonly recognise: ReturnType<typeof directly>
}

const TEMPLATE = {
  name: 'plasm_result',
  uriTemplate: 'plasm://session/{logical_session_ref}/r/{n}',
  description: 'Every row of a result linked by plasm_run',
  mimeType: 'application/json',
}

/**
 * Serves Streamable HTTP in both eras: every request is independent, without `Mcp-Session-Id`.
 *
 * @param sdk answers the requests that are not answered directly
 */
export function mcpOverHttp(parts: McpParts, sdk: SdkOverHttp = sdkOverHttp(parts)): McpOverHttp {
  const recognise = directly(parts)
  let isClosed = false
  return {
    fetch: async (request, exchange) => {
      const checked = await withCheckedBody(request, exchange)
      return checked instanceof Response ? checked : sdk.fetch(checked, exchange)
    },
    recognise: (body, header) => (isClosed ? undefined : recognise(body, header)),
    close: () => {
      isClosed = true
      return sdk.close()
    },
  }
}

/** Serves everything with the SDK. */
export function sdkOverHttp(parts: McpParts): SdkOverHttp {
  // The SDK passes our object through untouched, so the exchange needs no place among the fields of a client.
  const exchanges = new WeakMap<AuthInfo, Exchange>()
  const handler = createMcpHandler((context) => serverFor(parts, exchangeOf(context, exchanges)), {
    onerror: reportFailures(parts),
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

/** A connection over this process's own input and output. */
export interface McpOverStdio {
  /** Resolves when the input ended and every request was answered: false if the connection had to be given up. */
  readonly ended: () => Promise<boolean>
  /** Takes no more requests: `ended` resolves once those under way are answered. */
  readonly drain: () => void
  readonly close: () => Promise<void>
}

/** Serves one connection over standard input and output of this process, until `close`. */
export function mcpOverStdio(parts: McpParts, caller: Caller): McpOverStdio {
  const transport = new WatchedStdio()
  const exchange: Exchange = {
    caller,
    // Read by each call at its start: a client of 2026 announces with every request, and never here.
    get announced() {
      return transport.announced
    },
    onWritten: (callback, id) => transport.onWritten(id, callback),
  }
  const connection = serveStdio(() => serverFor(parts, exchange), {
    onerror: reportFailures(parts),
    transport,
  })
  return { ended: () => transport.ended(), drain: () => transport.drain(), close: () => connection.close() }
}

/** Reports what the SDK reports, but for requests that it refused: a client's mistake is no failure of the server. */
function reportFailures({ report }: McpParts): (error: Error) => void {
  return (error) => {
    if (!/^Rejected \S+ request /.test(error.message)) report(error)
  }
}

function exchangeOf({ authInfo }: McpRequestContext, exchanges: WeakMap<AuthInfo, Exchange>): Exchange {
  const exchange = authInfo && exchanges.get(authInfo)
  if (!exchange) throw new Error('a request reached MCP without its caller')
  return exchange
}

/** A server for one exchange (HTTP) or one connection (stdio): the SDK requires a new one for each. */
function serverFor(parts: McpParts, exchange: Exchange): Server {
  const server = new Server(serverInfo(parts.version), {
    ...ANNOUNCED,
    cacheHints: {
      'tools/list': CACHEABLE,
      'resources/list': CACHEABLE,
      'resources/templates/list': CACHEABLE,
      'server/discover': CACHEABLE,
    },
  })
  server.setRequestHandler('tools/list', () => TOOL_LIST)
  server.setRequestHandler('tools/call', ({ params }, context) =>
    guarded(
      parts,
      () =>
        callTool(
          { parts, exchange, hasPerson: () => canAsk(context, server.getClientCapabilities()) },
          params,
          context,
        ),
      (problem) => toolResult(refusal(problem)),
    ),
  )
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [TEMPLATE] }))
  server.setRequestHandler('resources/read', ({ params }) =>
    guarded(parts, () => readResource(parts.gateway, exchange.caller, params.uri)),
  )
  return server
}

interface Serving {
  readonly parts: McpParts
  readonly exchange: Exchange
  /** Can the client ask a person? */
  readonly hasPerson: () => boolean
}

async function callTool(
  { parts, exchange, hasPerson }: Serving,
  { name, arguments: input = {} }: { readonly name: string; readonly arguments?: unknown },
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = knownTool(name)
  const { id, _meta: meta } = context.mcpReq
  const announced = readAnnounced(meta)
  if (tool === 'plasm_run') return runProgram({ parts, exchange, hasPerson }, { input, announced }, context)
  return toolResult(await answerQuietCall(parts, exchange, { tool, input, id, announced }))
}

/**
 * If a person has to agree and the client can ask one, the answer is the question; the client repeats the call with the
 * person's reply.
 */
async function runProgram(
  { parts, exchange, hasPerson }: Serving,
  { input, announced }: Pick<QuietCall, 'input' | 'announced'>,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const word = wordIn(context)
  const { signal } = context.mcpReq
  const confirmed = word.kind === 'agreed' ? word.code : undefined
  const reply = await parts.gateway.run(exchange.caller, input, {
    signal,
    announced: announcedOver(announced, exchange.announced),
    ...(confirmed !== undefined && { confirmed }),
  })
  const isQuestion = !reply.ok && reply.confirm && word.kind === 'not_asked' && hasPerson()
  return isQuestion ? askFor(reply.confirm) : toolResult(reply)
}

/** The longest name that a message repeats. */
const MAX_NAME = 100

function knownTool(name: string): ToolName {
  const names = TOOLS.map((tool) => tool.name)
  const known = names.find((one) => one === name)
  if (known) return known
  const [closest] = nearest(name, names, 1)
  const hint = closest === undefined ? `this server has ${oneOf(names)}` : `did you mean \`${closest}\`?`
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `unknown tool \`${oneLine(name, MAX_NAME)}\`: ${hint}`,
  )
}

/** Only the text and `_meta.plasm`: hosts that show structured content drop the text. */
function toolResult(reply: ToolReply): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text: reply.text }]
  return reply.ok ? { content, _meta: { plasm: reply.meta } } : { content, isError: true }
}

async function readResource(gateway: Gateway, caller: Caller, uri: string) {
  const reply = await gateway.snapshot(caller, uri)
  if (!reply.ok) throw new ResourceNotFoundError(uri, reply.text)
  // Written in slices: a snapshot may be large.
  return { contents: [{ uri, mimeType: 'application/json', text: reply.text.trimEnd() }] }
}
