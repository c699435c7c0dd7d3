import { once } from 'node:events'
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { SocketListener } from './on-socket.ts'
import { answerUnreadable, unreadableReply } from './unreadable.ts'

/** A server that answers. */
export interface Listening {
  /** With the port that it got: `http://127.0.0.1:7750`. */
  readonly url: string
  /** Takes no new requests, lets those under way finish for so long, then cuts them off. */
  readonly close: (graceMs: number) => Promise<void>
}

/** What is served: requests that are not answered on the socket are answered by the fetch handler. */
interface Served {
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>
  readonly onSocket?: SocketListener
}

/** How long a client may take to send a request: connections that wait for one keep others out. */
const PATIENCE: Patience = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
}

/** Limits in milliseconds, as `createServer` takes them. */
type Patience = Required<
  Pick<ServerOptions, 'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'>
>

/** Rejects where the address cannot be had. */
export async function listen(
  { fetch, onSocket = async () => false }: Served,
  { host, port }: { readonly host: string; readonly port: number },
  patience: Patience = PATIENCE,
): Promise<Listening> {
  const listener: RequestListener = (incoming, outgoing) => {
    underWay.set(incoming.socket, [...unfinished(incoming.socket), outgoing])
    answer(incoming, outgoing)
  }
  const answer: RequestListener = async (incoming, outgoing) => {
    if (!(await onSocket(incoming, outgoing))) await handle(incoming, outgoing)
  }
  const underWay = new WeakMap<Duplex, readonly ServerResponse[]>()
  const unfinished = (socket: Duplex) =>
    (underWay.get(socket) ?? []).filter((outgoing) => !outgoing.writableFinished)
  // Puts light-weight Request and Response in the place of the global ones: a real one costs more than all else here.
  const handle = getRequestListener((request, env) => fetch(request, env), {
    errorHandler: unreadableReply,
  })
  const server = createServer({ ...patience, requireHostHeader: false }, listener)
  server.on('clientError', (error, socket) => {
    // Nothing may stand in the middle of another answer.
    if (unfinished(socket).some((outgoing) => outgoing.headersSent)) socket.destroy()
    else void answerUnreadable(error, socket)
  })
  // Expectations other than `100-continue` are ignored.
  server.on('checkExpectation', listener)
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('the server has no address of a network')
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return {
    url: `http://${name}:${address.port}`,
    close: async (graceMs) => {
      await acceptAll(server)
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(cutOff)
    },
  }
}

/** Turns of the event loop in which connections are still taken on at most, where they do not stop coming. */
const MAX_TURNS = 1000

/**
 * Takes on the connections that the operating system holds for this server, one in a turn, and lets their requests be read:
 * at its end it would reset them, and no client could know whether its requests were carried out.
 */
async function acceptAll(server: Server): Promise<void> {
  let quiet = 0
  const onConnection = () => void (quiet = 0)
  server.on('connection', onConnection)
  for (let turns = 0; turns < MAX_TURNS && quiet < 4; turns++) {
    quiet++
    await turn()
  }
  server.off('connection', onConnection)
}
