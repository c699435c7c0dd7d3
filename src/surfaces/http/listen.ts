import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'

/** A server that answers. */
export interface Listening {
  /** With the port that it got: `http://127.0.0.1:7750`. */
  readonly url: string
  /** Takes no new requests, lets those under way finish for so long, then cuts them off. */
  readonly close: (graceMs: number) => Promise<void>
}

/** Serves a fetch handler. Rejects where the address cannot be had. */
export async function listen(
  app: { readonly fetch: (request: Request, env?: object) => Response | Promise<Response> },
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const listener: RequestListener = (incoming, outgoing) => void handle(incoming, outgoing)
  // Puts light-weight Request and Response in the place of the global ones: a real one costs more than all else here.
  const handle = getRequestListener((request, env) => app.fetch(request, env))
  const server = createServer(listener)
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
const MOST_TURNS = 1000

/**
 * Takes on the connections that the operating system holds for this server, one in a turn, and lets their requests be read:
 * at its end it would reset them, and nobody could say whether the requests were carried out.
 */
async function acceptAll(server: Server): Promise<void> {
  let quiet = 0
  const onConnection = () => void (quiet = 0)
  server.on('connection', onConnection)
  for (let turns = 0; turns < MOST_TURNS && quiet < 4; turns++) {
    quiet++
    await turn()
  }
  server.off('connection', onConnection)
}
