import { Agent, request } from 'node:http'

/** A request that is sent many times. */
export interface RecordedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A message to the client process: send the request so many times. It answers with how long each call took, in microseconds, or with an error's text. */
export interface LoadJob {
  readonly request: RecordedRequest
  readonly calls: number
}

/** Enough to keep a server busy without queues. */
const CONNECTIONS = 4

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

process.on('message', (job: LoadJob) => {
  void send(job).then(
    (waits) => process.send?.(waits),
    (error: unknown) => process.send?.(String(error)),
  )
})

async function send({ request: recorded, calls }: LoadJob): Promise<readonly number[]> {
  const waits: number[] = []
  let left = calls
  const lane = async () => {
    while (left-- > 0) {
      const began = performance.now()
      await once(recorded)
      waits.push((performance.now() - began) * 1000)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  return waits
}

function once({ url, headers, body }: RecordedRequest): Promise<void> {
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
