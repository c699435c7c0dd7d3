import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
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
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(cutOff)
    },
  }
}
