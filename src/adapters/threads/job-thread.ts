import { Worker } from 'node:worker_threads'

/** The limits of one job. */
export interface JobLimits {
  readonly timeoutMs: number
  /** The maximum size of the JavaScript heap of the thread, in MiB. */
  readonly heapMb: number
}

/** How a job ended; `failed`: its thread threw, or could not be started. */
export type JobEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'too_slow' | 'out_of_memory' }
  | { readonly kind: 'failed'; readonly error: Error }

/** What the main thread sends: a job, or the request for the next part of its answer. */
export type ToThread<Job> = { readonly job: Job } | 'next'

/**
 * A thread that carries out jobs, one at a time and each within the limits: one that exceeds them ends with the thread, and the
 * next one gets a new thread. The thread starts with the first job; while it is idle, it does not keep the process alive.
 */
export class JobThread<Job, Part> {
  readonly #script: URL
  readonly #limits: JobLimits
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param script a file that calls `serveJobs` */
  constructor(script: URL, limits: JobLimits) {
    this.#script = script
    this.#limits = limits
  }

  /**
   * Carries out a job after all earlier ones. Gives the parts of its answer in order, one in each turn of the event loop. Never
   * rejects: where the system has no thread to spare, this job fails, and the next one tries again.
   *
   * @param moved memory of the job that goes to the thread without a copy: it is empty here afterwards
   */
  run(job: Job, take: (part: Part) => void, moved: readonly ArrayBuffer[] = []): Promise<JobEnd> {
    const ended = this.#last
      .then(() => this.#carryOut(job, take, moved))
      .catch((error: unknown): JobEnd => ({
        kind: 'failed',
        error: error instanceof Error ? error : new Error(String(error)),
      }))
    this.#last = ended
    return ended
  }

  /** Ends the thread after the last job. */
  async shutDown(): Promise<void> {
    await this.#last
    await this.#worker?.terminate()
  }

  #carryOut(job: Job, take: (part: Part) => void, moved: readonly ArrayBuffer[]): Promise<JobEnd> {
    const worker = this.#started()
    const send = (message: ToThread<Job>, list: readonly ArrayBuffer[] = []) =>
      worker.postMessage(message, list)
    return new Promise((resolve) => {
      const end = (how: JobEnd) => {
        clearTimeout(timer)
        worker.removeAllListeners('message').removeAllListeners('error')
        // A thread that ends reports nothing that anyone waits for.
        worker.on('error', () => undefined)
        worker.unref()
        resolve(how)
      }
      const abandon = (how: JobEnd) => {
        if (this.#worker === worker) this.#worker = undefined
        end(how)
        void worker.terminate()
      }
      const timer = setTimeout(() => abandon({ kind: 'too_slow' }), this.#limits.timeoutMs)
      worker.ref()
      worker.on('message', ({ done, value }: IteratorResult<Part>) => {
        if (done) return end({ kind: 'done' })
        take(value)
        // Other work of this thread goes before the next part.
        setImmediate(() => send('next'))
      })
      worker.once('error', (error) => {
        const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        abandon(isMemory ? { kind: 'out_of_memory' } : { kind: 'failed', error })
      })
      send({ job }, moved)
    })
  }

  #started(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(this.#script, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb },
    })
    worker.unref()
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return (this.#worker = worker)
  }
}
