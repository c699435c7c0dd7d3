import { type Stats, statSync } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import { reasonOf } from '../../base/errors.ts'
import type { Result } from '../../base/diagnostic.ts'
import { textOf, whyUntrusted } from './our-files.ts'

/** The maximum age of the answer of `recent`. */
const RECENT_MS = 50

/** The parsed content of a file that only its owner can change, read again when the file changes. */
export class KeptFile<T> {
  readonly #path: string
  readonly #read: (text: string) => Result<T>
  readonly #unreadable: (reason: string) => Result<T>
  readonly #clock: Clock
  #checkedAt = -Infinity
  #stat: Stats | undefined
  #held: Result<T> | undefined

  /**
   * @param read parses the text, or returns every problem
   * @param unreadable the problem of a file that cannot be read, is no plain file, or that other users can change
   */
  constructor(
    path: string,
    read: (text: string) => Result<T>,
    unreadable: (reason: string) => Result<T>,
    clock: Clock,
  ) {
    this.#path = path
    this.#read = read
    this.#unreadable = unreadable
    this.#clock = clock
  }

  /** The current content. Stats the file each time (a few microseconds) and reads it only after a change. */
  now(): Result<T> {
    this.#checkedAt = this.#clock.now()
    try {
      const found = statSync(this.#path)
      if (this.#held && this.#stat && isSame(this.#stat, found)) return this.#held
      const why = whyUntrusted(found)
      if (why !== undefined) throw new Error(why)
      this.#held = this.#read(textOf(this.#path))
      this.#stat = found
    } catch (error) {
      this.#held = this.#unreadable(reasonOf(error))
      this.#stat = undefined
    }
    return this.#held
  }

  /** The content as of a moment ago: for checks that run thousands of times in one call. */
  recent(): Result<T> {
    return this.#held && Math.abs(this.#clock.now() - this.#checkedAt) < RECENT_MS ? this.#held : this.now()
  }
}

/** Neither replaced, written, nor given another owner or mode, since the status change time holds the last two. */
function isSame(a: Stats, b: Stats): boolean {
  return (
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.size === b.size &&
    a.ino === b.ino &&
    a.dev === b.dev
  )
}
