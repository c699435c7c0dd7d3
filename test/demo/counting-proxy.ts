import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { portOf } from './port.ts'

/** Stands in front of the shop and writes down every request that reaches it. */
export interface CountingProxy {
  readonly origin: string
  /** `GET /orders?status=open`, in order of arrival. */
  readonly requests: readonly string[]
  readonly close: () => void
}

/** Passes everything on to a port of this machine, unchanged. */
export async function countingProxy(port: number): Promise<CountingProxy> {
  const requests: string[] = []
  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`)
    const { method, url, headers } = incoming
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    requests,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
