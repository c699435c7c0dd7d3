import { LRUCache } from 'lru-cache'
import { entriesUpTo } from '../../../base/cache-size.ts'
import type { Driver, Statement } from './driver.ts'
import type { Writer } from './writer.ts'

/** The most cached answers. */
const KEPT = 10_000

/**
 * A cache of reads. SQLite counts the commits of other connections (`PRAGMA data_version`), the writer counts those of
 * this one, and a cached answer is valid while neither changes. Reading the counter costs a third of reading a row.
 */
export class Reads<Answer extends object> {
  readonly #kept = new LRUCache<string, Answer>(entriesUpTo(KEPT))
  readonly #others: Statement<{ readonly data_version: number }>
  readonly #own: Writer
  #seenOthers = -1
  #seenOwn = -1

  constructor(db: Driver, writer: Writer) {
    this.#others = db.prepare('PRAGMA data_version')
    this.#own = writer
  }

  /** The answer under this key, read again if it may have changed. Misses are not cached. */
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
