import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text as textOf } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: { readonly how?: string }
    readonly protocolVersion?: string
  }
}

interface Exchange {
  readonly message: Message
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

type Act = (exchange: Exchange) => void | Promise<void>

/** An MCP server over HTTP that does harm: its tool `read` does what the argument `how` says. */
export interface HostileWebServer {
  readonly url: string
  /** Method and path of each request, with the `how` of a call. */
  readonly log: string[]
  /** Its tools from now on. */
  tools: string[]
  /** What it does while it is listed; absent: it lists its tools. */
  listing: Act | undefined
  readonly close: () => void
}

const HOW = { type: 'object', properties: { how: { type: 'string' } }, required: ['how'] }
const toolOf = (name: string) => ({ name, description: `Tests ${name}`, inputSchema: HOW })
const frame = (id: unknown, result: object) => ({ jsonrpc: '2.0', id, result })
const said = (text: string) => ({ content: [{ type: 'text', text }] })

/** Answers with JSON. */
export function sendJson({ response }: Exchange, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function openStream({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

/** Writes the same until the client has enough. */
export async function pour({ response }: Exchange, piece: string): Promise<void> {
  const block = piece.repeat(Math.ceil((1 << 18) / piece.length))
  await pipeline(Readable.from(forEver(block)), response).catch(() => undefined)
}

function* forEver(block: string): Generator<string> {
  for (;;) yield block
}

const ACTS: Readonly<Record<string, Act>> = {
  well: (exchange) => sendJson(exchange, frame(exchange.message.id, said('well'))),
  hang: () => undefined,
  'a body that never ends': (exchange) => {
    exchange.response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":')
    const drip = setInterval(() => exchange.response.write(' '), 200)
    exchange.response.on('close', () => clearInterval(drip))
  },
  'an endless body': (exchange) => {
    exchange.response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"')
    return pour(exchange, 'x')
  },
  'a compressed bomb': ({ response }) => {
    const bomb = gzipSync(Buffer.alloc(100e6, 'x'))
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
  },
  'one endless event': (exchange) => {
    openStream(exchange)
    exchange.response.write('data: ')
    return pour(exchange, 'x')
  },
  'endless events': (exchange) => {
    openStream(exchange)
    return pour(
      exchange,
      event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }),
    )
  },
  'endless requests': (exchange) => {
    openStream(exchange)
    return pour(exchange, event({ jsonrpc: '2.0', id: 'p', method: 'ping' }))
  },
  'a silent stream': (exchange) => {
    openStream(exchange)
    exchange.response.write(': open\n\n')
  },
  'a stream that ends early': (exchange) => {
    openStream(exchange)
    exchange.response.end(
      event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }),
    )
  },
  'a stream to ask for again': (exchange) => {
    openStream(exchange)
    exchange.response.end('id: 1\nretry: 0\ndata: \n\n')
  },
  'an error 500': (exchange) => sendJson(exchange, { oops: true }, 500),
  'a web page': ({ response }) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
  'no JSON': ({ response }) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('<h1>Welcome</h1>'),
  'deep data': ({ message, response }) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(
        `{"jsonrpc":"2.0","id":${message.id},"result":{"content":[],"structuredContent":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`,
      ),
  'a reset': ({ request }) => void request.socket.resetAndDestroy(),
  'no answer in it': ({ response }) => void response.writeHead(202).end(),
  'a redirect in a circle': ({ request, response }) =>
    void response.writeHead(307, { location: request.url }).end(),
  'someone else': (exchange) => sendJson(exchange, frame(999, said('for another'))),
}

/** @param elsewhere where `a redirect elsewhere` leads */
export async function hostileWebServer(elsewhere = ''): Promise<HostileWebServer> {
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const message: Message = body === '' ? {} : JSON.parse(body)
      const how = message.params?.arguments?.how
      web.log.push(`${request.method} ${request.url}${how === undefined ? '' : ` ${how}`}`)
      return answer({ message, request, response })
    })
  })
  const answer: Act = (exchange) => {
    const { message, request, response } = exchange
    const { id, method, params } = message
    if (request.method === 'GET') {
      // A stream of nothing, or the same end again.
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void (request.headers['last-event-id'] === undefined
        ? response.write(': open\n\n')
        : response.end('id: 1\nretry: 0\ndata: \n\n'))
    }
    if (id === undefined) return void response.writeHead(202).end()
    switch (method) {
      case 'initialize':
        return sendJson(
          exchange,
          frame(id, {
            protocolVersion: params?.protocolVersion,
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: 'web', version: '1' },
          }),
        )
      case 'tools/list':
        return web.listing
          ? web.listing(exchange)
          : sendJson(exchange, frame(id, { tools: web.tools.map(toolOf) }))
      case 'tools/call': {
        const { name = '', arguments: { how = '' } = {} } = params ?? {}
        if (!web.tools.includes(name))
          return sendJson(exchange, {
            jsonrpc: '2.0',
            id,
            error: { code: -32602, message: `there is no tool ${name}` },
          })
        if (how === 'a redirect elsewhere') return void response.writeHead(307, { location: elsewhere }).end()
        return ACTS[how]?.(exchange)
      }
      default:
        return sendJson(exchange, frame(id, {}))
    }
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const web: HostileWebServer = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`,
    log: [],
    tools: ['read', 'put'],
    listing: undefined,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return web
}
