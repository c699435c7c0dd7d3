import { Agent, request } from 'node:http'

/** A request to be sent again and again. */
export interface Shot {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the process is told: send it so often, over so many kept connections. It answers `done`, or what went wrong. */
export interface Order {
  readonly shot: Shot
  readonly calls: number
}

/** As many as keep a server busy without queues. */
const CONNECTIONS = 4

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

process.on('message', (order: Order) => {
  void fire(order).then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(String(error)),
  )
})

async function fire({ shot, calls }: Order): Promise<void> {
  let left = calls
  const lane = async () => {
    while (left-- > 0) await once(shot)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
}

function once({ url, headers, body }: Shot): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
      )
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
