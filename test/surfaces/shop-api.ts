import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** The API behind the fixture catalog `shop`, as far as the surfaces' tests use it: seven customers, three a page. */
export interface ShopApi {
  /** With the base path, as `--backend shop=…` wants it. */
  readonly url: string
  /** `GET /v1/customers?…`, in the order of arrival. */
  readonly requests: readonly string[]
  /** The `authorization` of each. */
  readonly credentials: readonly (string | undefined)[]
  /** Requests whose connection was closed by the caller before the answer. */
  readonly aborted: () => number
  /** While true, no request is answered. */
  hang: boolean
  /** Answers what hangs, and everything from then on. */
  readonly release: () => void
  /** Resolves once a request hangs. */
  readonly hanging: () => Promise<unknown>
  readonly close: () => Promise<void>
}

const customers = Array.from({ length: 7 }, (_, index) => ({
  id: `c${index + 1}`,
  name: `Customer ${index + 1}`,
  email: `c${index + 1}@shop.example`,
  tier: 'gold',
  tags: [],
  joined_at: '2026-01-02T03:04:05Z',
  // Longer than a cell of a text shows.
  notes: 'word '.repeat(200),
}))

export async function startShopApi(): Promise<ShopApi> {
  const requests: string[] = []
  const credentials: (string | undefined)[] = []
  const held = new Set<() => void>()
  let aborted = 0
  const api = { hang: false }
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    credentials.push(request.headers.authorization)
    if (!api.hang) return answer(request, response)
    held.add(() => answer(request, response))
    response.on('close', () => !response.writableFinished && aborted++)
    server.emit('hanging')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return Object.assign(api, {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    credentials,
    aborted: () => aborted,
    release: () => {
      api.hang = false
      for (const go of held) go()
      held.clear()
    },
    hanging: () => once(server, 'hanging'),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  })
}

function answer({ method, url }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://shop.test')
  const [, , , id] = pathname.split('/')
  response.setHeader('content-type', 'application/json')
  if (method === 'DELETE') response.writeHead(204).end()
  else if (method === 'POST') response.writeHead(201).end(JSON.stringify({ ...customers[0], id: 'c8' }))
  else if (id === undefined) {
    const from = (Number(searchParams.get('page') ?? 1) - 1) * 3
    response.end(JSON.stringify({ customers: customers.slice(from, from + 3) }))
  } else {
    const found = customers.find((customer) => customer.id === id)
    response.writeHead(found ? 200 : 404).end(JSON.stringify(found ?? { error: 'no such customer' }))
  }
}
