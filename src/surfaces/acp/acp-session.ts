import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import type { Head } from './head.ts'
import type { SessionServers } from './parts.ts'
import { acpProblem } from './problems.ts'
import type { Roots } from './roots.ts'

/** Prompts that wait behind the running one. */
const MAX_WAITING = 8

/** A session that this process answers for: its prompts run one after another. */
export class AcpSession {
  readonly id: string
  roots: Roots
  head: Head
  /** The client knows the commands. */
  isAnnounced = false
  readonly servers: SessionServers
  /** What the client gets with the next prompt. */
  unsaid: readonly Problem[] = []
  readonly #running = new Set<AbortController>()
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(id: string, head: Head, roots: Roots, servers: SessionServers) {
    this.servers = servers
    this.id = id
    this.head = head
    this.roots = roots
  }

  /** A prompt runs or waits. */
  get isBusy(): boolean {
    return this.#running.size > 0
  }

  /**
   * Runs the work after the prompts before it.
   *
   * @param signal aborts it, as `cancel` does
   *
   * Gives `prompts_full`, or `session_inactive` once the session was closed.
   */
  async inTurn<T>(
    signal: AbortSignal,
    work: (controller: AbortController) => Promise<T>,
  ): Promise<Result<T>> {
    if (this.#isClosed) return failed([acpProblem('session_inactive', { id: this.id })])
    if (this.#running.size > MAX_WAITING) return failed([acpProblem('prompts_full', { most: MAX_WAITING })])
    const controller = new AbortController()
    const abort = () => controller.abort()
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    this.#running.add(controller)
    const done = this.#last.then(() => work(controller))
    this.#last = done.catch(() => undefined)
    try {
      return ok(await done)
    } finally {
      this.#running.delete(controller)
      signal.removeEventListener('abort', abort)
    }
  }

  /** Cancels the running prompt, and those that wait. */
  cancel(): void {
    for (const controller of this.#running) controller.abort()
  }

  /** Cancels everything, and ends its servers; no prompt runs after that. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.cancel()
    await this.#last
    await this.servers.close()
  }
}
