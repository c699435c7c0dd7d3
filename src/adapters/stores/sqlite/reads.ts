import { LRUCache } from 'lru-cache'
import type { Driver, Statement } from './driver.ts'
import type { Writer } from './writer.ts'

/** How many answers are kept at most. */
const KEPT = 10_000

/**
 * Answers of the file that are still true: SQLite counts what other connections commit (`PRAGMA data_version`), the writer
 * what this one does, and an answer holds while neither moves. To ask for the count costs a third of reading a row.
 */
export class Reads<Answer extends object> {
  readonly #kept = new LRUCache<string, Answer>({ max: KEPT })
  readonly #others: Statement<{ readonly data_version: number }>
  readonly #own: Writer
  #seenOthers = -1
  #seenOwn = -1

  constructor(db: Driver, writer: Writer) {
    this.#others = db.prepare('PRAGMA data_version')
    this.#own = writer
  }

  /** The answer under this key, read where it is not known or may have changed. Nothing is never kept. */
  of(key: string, read: () => Answer | undefined): Answer | undefined {
    const others = this.#others.get()?.data_version ?? -1
    if (others !== this.#seenOthers || this.#own.commits !== this.#seenOwn) {
      this.#kept.clear()
      this.#seenOthers = others
      this.#seenOwn = this.#own.commits
    }
    const known = this.#kept.get(key)
    if (known) return known
    const answer = read()
    if (answer) this.#kept.set(key, answer)
    return answer
  }
}
