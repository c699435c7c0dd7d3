import { type JobEnd, JobThread } from '../../threads/job-thread.ts'
import { lengthOf } from '../body.ts'
import type { Deadline } from '../deadline.ts'
import { Turns } from '../turns.ts'
import { Joined } from '../../../base/slices/parts.ts'
import { type AnswerBody, type AnswerRead, readHere } from './read.ts'
import type { AnswerPart } from './worker.ts'

/** Bodies from this size on block the thread for noticeable time when they are read. */
const LARGE_BYTES = 256 * 1024
/** A caller alone gets one of them: the other is left for the next caller. */
const MAX_THREADS = 2
const LIMITS = { timeoutMs: 10_000, heapMb: 512 }

type Thread = JobThread<AnswerBody, AnswerPart>

/** A body could not be read within the limits of time and memory. */
export class TooHard extends Error {}

/**
 * Reads the bodies of answers: large ones in threads of their own, within limits of time and memory, so that other callers are
 * served meanwhile. Principals whose large bodies wait take turns.
 */
export class AnswerReader {
  readonly #turns = new Turns(MAX_THREADS, { now: () => performance.now() })
  readonly #idle: Thread[] = []
  #threads: readonly Thread[] = []

  /**
   * Takes the bytes of the body: they may not be used afterwards, nor share their memory with anything else. Rejects with
   * `TooHard`, or once the deadline has passed.
   */
  async read(answer: AnswerBody, principal: string, deadline: Deadline): Promise<AnswerRead> {
    if (lengthOf(answer.body) < LARGE_BYTES) return readHere(answer)
    if (await this.#turns.take(principal, deadline)) throw deadline.signal.reason
    return deadline.race(this.#readInThread(answer).finally(() => this.#turns.leave(principal)))
  }

  async shutDown(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.shutDown()))
  }

  async #readInThread(answer: AnswerBody): Promise<AnswerRead> {
    const thread = this.#idle.pop() ?? this.#newThread()
    const joined = new Joined()
    let unread: AnswerRead | undefined
    const take = (part: AnswerPart) => {
      if ('wrong' in part) unread = part
      else joined.add(part)
    }
    const memory = answer.body.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer)
    const end = await thread.run(answer, take, memory)
    this.#idle.push(thread)
    if (end.kind !== 'done') throw reasonOf(end)
    return unread ?? { value: joined.value ?? null }
  }

  #newThread(): Thread {
    const thread: Thread = new JobThread(new URL('./worker.js', import.meta.url), LIMITS)
    this.#threads = [...this.#threads, thread]
    return thread
  }
}

function reasonOf(end: Exclude<JobEnd, { readonly kind: 'done' }>): Error {
  switch (end.kind) {
    case 'too_slow':
      return new TooHard(`reading it takes longer than ${LIMITS.timeoutMs / 1000} s`)
    case 'out_of_memory':
      return new TooHard(`reading it needs more than ${LIMITS.heapMb} MiB of memory`)
    case 'failed':
      return new TooHard(`its thread ended: ${end.error.message}`)
  }
}
