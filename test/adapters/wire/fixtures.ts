import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createNet, type AddressInfo, type Socket, type Server } from 'node:net'
import { afterEach } from 'vitest'
import { httpWire, type HttpWireOptions } from '../../../src/adapters/wire/http.ts'
import { secretReader } from '../../../src/adapters/wire/secrets.ts'
import type { ServedCatalog } from '../../../src/catalog/model.ts'
import { ok } from '../../../src/base/diagnostic.ts'
import type { Wire, WireCall } from '../../../src/execution/wire.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** A request as the server saw it. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface TestServer {
  readonly origin: string
  readonly port: number
  readonly seen: Seen[]
}

/** A real API on the loopback that answers as told. */
export async function serve(
  answer: (request: Seen, response: ServerResponse, count: number) => void,
): Promise<TestServer> {
  const seen: Seen[] = []
  const server = createHttp((request, response) => {
    void readAll(request).then((body) => {
      const { method = '', url = '' } = request
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      seen.push({ method, url, headers, body })
      answer({ method, url, headers, body }, response, seen.length)
    })
  })
  return { ...(await listen(server)), seen }
}

/** A server that speaks bytes. */
export async function serveRaw(answer: (socket: Socket) => void): Promise<Omit<TestServer, 'seen'>> {
  return listen(
    createNet((socket) => {
      socket.on('error', () => {})
      answer(socket)
    }),
  )
}

async function listen(
  server: Server & { closeAllConnections?: () => void },
): Promise<{ origin: string; port: number }> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  const { port } = server.address() as AddressInfo
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { origin: `http://127.0.0.1:${port}`, port }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

export function wire(options: Partial<HttpWireOptions> = {}): Wire {
  const made = httpWire({
    secrets: secretReader({ KEY: ' key-0123456789 ', CLIENT: 'client', PASSWORD: 'pass word:secret' }),
    allowPrivate: () => false,
    userAgent: 'plasmid-test/1',
    // A test with one clock moves every clock.
    ...(options.clock ? { steady: options.clock } : {}),
    ...options,
  })
  cleanups.push(() => made.shutDown())
  return made
}

export function api(origin: string, changes: Partial<ServedCatalog> = {}): ServedCatalog {
  return {
    id: 'shop',
    version: 1,
    origin,
    otherOrigins: [],
    aliases: [],
    entities: [],
    capabilities: [],
    auth: { scheme: 'none' },
    unsupported: [],
    ...changes,
  }
}

/** A GET of `/things` that may be repeated, with changes. */
export function call(catalog: ServedCatalog, changes: Partial<WireCall> = {}): WireCall {
  return {
    catalog,
    method: 'GET',
    target: { path: '/things' },
    query: [],
    headers: [],
    repeatable: true,
    admit: () => Promise.resolve(ok(changes.catalog ?? catalog)),
    ...changes,
  }
}

export function limits(changes: Partial<Parameters<Wire['send']>[1]> = {}): Parameters<Wire['send']>[1] {
  return { signal: new AbortController().signal, timeoutMs: 5000, maxBytes: 1_000_000, ...changes }
}
