import cluster from 'node:cluster'
import { type FromWorker, isToWorker } from './messages.ts'

/** How long a worker waits for the metrics of the others, in milliseconds. */
const GATHER_MS = 1000

/** The connection of a worker to the process that supervises it. */
export interface WorkerLink {
  /** Starts at 1; a replacement gets a number that no worker had before. */
  readonly id: number
  /** Reports that this worker answers requests at the URL. */
  readonly announce: (url: string) => void
  /** Aborted once this worker must end: by the supervising process, SIGTERM, SIGINT or SIGHUP. Repeated signals change nothing. */
  readonly ending: AbortSignal
  /** Registers the reader of this worker's metrics, for the others. */
  readonly shareMetrics: (read: () => Promise<string>) => void
  /** The metrics of the other workers as JSON, without those that do not answer within a second. */
  readonly metricsOfOthers: () => Promise<readonly string[]>
}

interface Question {
  readonly metrics: string[]
  expected: number
  readonly done: () => void
}

/** The link of this process; undefined if it is not a worker. */
export function workerLink(): WorkerLink | undefined {
  const { worker } = cluster
  if (!worker) return undefined
  const ending = new AbortController()
  const questions = new Map<number, Question>()
  let asked = 0
  let readMetrics = async () => '[]'
  const send = (message: FromWorker) => void (worker.isConnected() && worker.send(message))
  const end = () => ending.abort()
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  process.on('SIGHUP', end)
  process.on('message', (message: unknown) => {
    if (!isToWorker(message)) return
    if (message.kind === 'end') return end()
    if (message.kind === 'count') {
      const { id, to } = message
      void readMetrics().then((metrics) => send({ kind: 'counted', id, to, metrics }))
      return
    }
    const question = questions.get(message.id)
    if (!question) return
    if (message.kind === 'counted') question.metrics.push(message.metrics)
    else question.expected = message.count
    if (question.metrics.length >= question.expected) question.done()
  })
  return {
    id: worker.id,
    ending: ending.signal,
    announce: (url) => send({ kind: 'listening', url }),
    shareMetrics: (read) => void (readMetrics = read),
    metricsOfOthers: () =>
      new Promise((resolve) => {
        const id = ++asked
        const metrics: string[] = []
        const done = () => {
          clearTimeout(tooLong)
          questions.delete(id)
          resolve(metrics)
        }
        const tooLong = setTimeout(done, GATHER_MS)
        questions.set(id, { metrics, expected: Infinity, done })
        send({ kind: 'gather', id })
      }),
  }
}
