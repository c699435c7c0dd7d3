import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { ToThread } from './job-thread.ts'

/** In a thread of `JobThread`: carries out each job by `work`, and sends the parts of its answer as they are asked for. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller states what its main thread sends
export function serveJobs<Job, Part>(work: (job: Job) => Iterable<Part> | Promise<Iterable<Part>>): void {
  let parts: Iterator<Part> | undefined
  const sendNext = () => parentPort?.postMessage(parts?.next())
  parentPort?.on('message', (message: ToThread<Job>) => {
    if (message === 'next') return sendNext()
    // An error here ends the thread, which tells the main thread.
    void Promise.resolve(work(message.job)).then((made) => {
      parts = made[Symbol.iterator]()
      sendNext()
    })
  })
}

/** How much nicer such a thread is: where the thread that serves wants the same core, a quarter of it is left. */
const NICER = 5

/**
 * Lets the thread that serves go before this one. On Linux alone, where a priority belongs to a thread: elsewhere it would be
 * that of the whole process. Not for work with a limit of a second: a busy machine would use it up.
 */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + NICER))
}
