import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

/** The API behind the depots, as a server of its own: five of each good, and every write written down. */
export interface DepotApi {
  readonly origin: string
  /** `POST /anvil/k1/touch`, in the order of arrival. */
  readonly writes: readonly string[]
  readonly close: () => Promise<void>
}

/** @param onWrite is asked before a write is answered: false lets its sender wait for ever */
export async function startDepotApi(onWrite: (count: number) => boolean = () => true): Promise<DepotApi> {
  const writes: string[] = []
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.method === 'GET') return void response.end(JSON.stringify(answerTo(request)))
    writes.push(`${request.method} ${request.url}`)
    if (onWrite(writes.length)) response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the API has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    writes,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Labels say what was called: `anvil k1`, or `north/1/anvil k1` where a depot has a path of its own. */
function answerTo({ url = '' }: IncomingMessage): object {
  const [, called = '', id] =
    /^\/(.*?)(?:\/([a-z]\d+))?$/.exec(new URL(url, 'http://depot.test').pathname) ?? []
  const one = (key: string) => ({ id: key, label: `${called} ${key}`, state: 'stored', weight: 2 })
  return id === undefined ? ['k1', 'k2', 'k3', 'k4', 'k5'].map(one) : one(id)
}
