import cluster, { type Worker } from 'node:cluster'
import type { Workers } from '../../surfaces/cli/dependencies.ts'
import { isFromWorker, type FromWorker, type ToWorker } from './messages.ts'

/** A worker that ends earlier counts as a failure. */
const STEADY_MS = 10_000
/** The delay before the first replacement; doubled with each further failure. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
/** This many failures in a row end the server, unless another worker still answers. */
const MAX_FAILURES = 5

/**
 * Starts `count` processes with the arguments of this one, and starts another for each that ends. This process handles no
 * request: the workers accept connections themselves. It kills the workers when it exits; they exit when it is gone.
 *
 * @param say writes a line for the operator
 */
export function supervise(count: number, args: readonly string[], say: (line: string) => void): Workers {
  return new Supervisor(count, args, say)
}

class Supervisor implements Workers {
  readonly count: number
  readonly listening: Promise<string | undefined>
  readonly ended: Promise<boolean>
  readonly #args: readonly string[]
  readonly #say: (line: string) => void
  readonly #startedAt = new Map<Worker, number>()
  readonly #answering = new Set<Worker>()
  readonly #pauses = new Set<NodeJS.Timeout>()
  #url: string | undefined
  #failures = 0
  #isEnding = false
  #isRegular = true
  #onListening: (url: string | undefined) => void = () => undefined
  #onEnded: (isRegular: boolean) => void = () => undefined

  constructor(count: number, args: readonly string[], say: (line: string) => void) {
    this.count = count
    this.#args = args
    this.#say = say
    this.listening = new Promise((resolve) => void (this.#onListening = resolve))
    this.ended = new Promise((resolve) => void (this.#onEnded = resolve))
    // Node's own distribution loses a connection that is in transit to a worker when that worker is killed.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ args: [...args] })
    process.on('exit', () => {
      for (const worker of this.#startedAt.keys()) worker.process.kill('SIGKILL')
    })
    // The first starts alone: a failure to start is reported once, and the others share its port.
    this.#start()
  }

  end(): void {
    this.#isEnding = true
    for (const pause of this.#pauses) clearTimeout(pause)
    for (const worker of this.#startedAt.keys()) tell(worker, { kind: 'end' })
    this.#settle()
  }

  #start(): void {
    // While one of them listens, the others share its socket, on any free port too. The next socket must have the same port.
    if (this.#url !== undefined && this.#answering.size === 0)
      cluster.setupPrimary({ args: [...this.#args, '--port', new URL(this.#url).port || '80'] })
    const worker = cluster.fork()
    this.#startedAt.set(worker, performance.now())
    worker.on('message', (message: unknown) => {
      if (isFromWorker(message)) this.#hear(worker, message)
    })
    worker.on('exit', (code, signal) => this.#replace(worker, code, signal))
    // Writing to a worker that has exited fails; its exit event reports that.
    worker.on('error', () => undefined)
  }

  #hear(worker: Worker, message: FromWorker): void {
    if (message.kind === 'listening') return this.#listens(worker, message.url)
    if (message.kind === 'gather') {
      const others = [...this.#answering].filter((other) => other !== worker)
      tell(worker, { kind: 'expect', id: message.id, count: others.length })
      for (const other of others) tell(other, { kind: 'count', id: message.id, to: worker.id })
      return
    }
    const asker = cluster.workers?.[message.to]
    if (asker) tell(asker, { kind: 'counted', id: message.id, metrics: message.metrics })
  }

  #listens(worker: Worker, url: string): void {
    if (this.#isEnding) return tell(worker, { kind: 'end' })
    // It bound to a random port when the last of the others had just ended.
    if (this.#url !== undefined && this.#url !== url) return void worker.process.kill('SIGKILL')
    this.#answering.add(worker)
    if (this.#url === undefined) {
      this.#url = url
      for (let more = 1; more < this.count; more++) this.#start()
    }
    if (this.#answering.size === this.count) this.#onListening(this.#url)
  }

  #replace(worker: Worker, code: number, signal: string | null): void {
    const lived = performance.now() - (this.#startedAt.get(worker) ?? 0)
    this.#startedAt.delete(worker)
    this.#answering.delete(worker)
    if (this.#isEnding) {
      this.#isRegular &&= code === 0
      return this.#settle()
    }
    this.#failures = lived >= STEADY_MS ? 0 : this.#failures + 1
    const isLost = this.#answering.size === 0 && this.#failures >= MAX_FAILURES
    if (this.#url === undefined || isLost) {
      this.#isRegular = false
      return this.end()
    }
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, this.#failures - 1))
    const how = signal ? `by ${signal}` : `with code ${code}`
    this.#say(
      `Worker ${worker.id} (process ${worker.process.pid}) ended ${how}: another starts in ${pauseMs} ms`,
    )
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      this.#start()
    }, pauseMs)
    this.#pauses.add(pause)
  }

  #settle(): void {
    if (!this.#isEnding || this.#startedAt.size > 0) return
    this.#onListening(undefined)
    this.#onEnded(this.#isRegular)
  }
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
