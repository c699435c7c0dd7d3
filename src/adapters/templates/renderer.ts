import { Worker } from 'node:worker_threads'
import type { Rendered, TemplateJob, TemplateRenderer } from '../../execution/template.ts'

/** A renderer with a thread to end. */
export interface ThreadRenderer {
  readonly render: TemplateRenderer
  readonly shutDown: () => Promise<void>
}

/** The limits of one template. */
interface TemplateLimits {
  readonly timeoutMs: number
  /** The maximum size of the JavaScript heap of the thread, in MiB. */
  readonly heapMb: number
}

const DEFAULT_LIMITS: TemplateLimits = { timeoutMs: 1000, heapMb: 256 }

/**
 * Renders templates in a thread of their own, one at a time and each within `timeoutMs`: a longer one ends with the thread,
 * and the next one gets a new thread. The thread starts with the first template.
 */
export function threadRenderer({ timeoutMs, heapMb }: TemplateLimits = DEFAULT_LIMITS): ThreadRenderer {
  let thread: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  const started = () => {
    if (thread) return thread
    const made = new Worker(new URL('./worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    // An idle thread must not keep the process alive.
    made.unref()
    made.once('exit', () => {
      if (thread === made) thread = undefined
    })
    return (thread = made)
  }

  const rendered = (job: TemplateJob): Promise<Rendered> =>
    new Promise((resolve, reject) => {
      const worker = started()
      const end = (outcome: Rendered) => {
        clearTimeout(timer)
        worker.removeAllListeners('message').removeAllListeners('error')
        // A thread that ends reports nothing that anyone waits for.
        worker.on('error', () => undefined)
        worker.unref()
        resolve(outcome)
      }
      const abandon = (reason: string) => {
        if (thread === worker) thread = undefined
        end({ reason })
        void worker.terminate()
      }
      const timer = setTimeout(() => abandon(`it takes longer than ${timeoutMs} ms`), timeoutMs)
      worker.ref()
      worker.once('message', (outcome: Rendered) => end(outcome))
      worker.once('error', (error) => {
        const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        if (!isMemory) reject(error)
        abandon(`it needs more than ${heapMb} MiB of memory`)
      })
      worker.postMessage(job)
    })

  return {
    render: (job) => {
      const next = last.then(() => rendered(job))
      last = next.catch(() => undefined)
      return next
    },
    shutDown: async () => {
      await last
      await thread?.terminate()
    },
  }
}
