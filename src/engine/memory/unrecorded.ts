import { canonicalJson } from '../../base/canonical.ts'
import type { Owner } from '../entry-store.ts'
import type { Parts } from '../parts.ts'

/** How often the store is tried again. */
const AGAIN_MS = 1000

/** The most outcomes that are held: each is an answer, without its rows if it is large. */
const MOST = 200

/** Records an outcome, or finds that it is no longer this process's to record. Rejects where the store fails. */
type Attempt = () => Promise<unknown>

/**
 * The outcomes of runs that the store could not keep when the runs ended. They are recorded as soon as the store answers
 * again: before a later call could take such a run for an interrupted one, where this process serves that call.
 */
export class Unrecorded {
  readonly #every: Parts['every']
  readonly #attempts = new Map<string, Attempt>()
  #stop: (() => void) | undefined

  constructor({ every }: Pick<Parts, 'every'>) {
    this.#every = every
  }

  add(owner: Owner, run: string, attempt: Attempt): void {
    const [oldest] = this.#attempts.keys()
    if (oldest !== undefined && this.#attempts.size >= MOST) this.#attempts.delete(oldest)
    this.#attempts.set(keyOf(owner, run), attempt)
    this.#stop ??= this.#every(AGAIN_MS, () => this.recordAll())
  }

  /** Tries the outcome of this run once more; false if none is held. Rejects where the store still fails. */
  async record(owner: Owner, run: string): Promise<boolean> {
    const key = keyOf(owner, run)
    const attempt = this.#attempts.get(key)
    if (attempt) await this.#made(key, attempt)
    return attempt !== undefined
  }

  /** Tries all that are held, until one of them finds that the store still fails. */
  async recordAll(): Promise<void> {
    for (const [key, attempt] of this.#attempts) await this.#made(key, attempt)
  }

  async #made(key: string, attempt: Attempt): Promise<void> {
    this.#attempts.delete(key)
    try {
      await attempt()
    } catch (error) {
      // Behind the others: one that never succeeds does not hold them up.
      this.#attempts.set(key, attempt)
      throw error
    }
    if (this.#attempts.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }
}

function keyOf({ address, principal }: Owner, run: string): string {
  return canonicalJson([address, principal, run])
}
