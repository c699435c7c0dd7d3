import { readFileSync, statSync } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import type { Result } from '../../base/diagnostic.ts'

/** How old the answer of `recent` may be. */
const RECENT_MS = 50

/** What a file holds, read again when the file changed. */
export class KeptFile<T> {
  readonly #path: string
  readonly #read: (text: string) => Result<T>
  readonly #unreadable: (reason: string) => Result<T>
  readonly #clock: Clock
  #checkedAt = -Infinity
  #stamp = ''
  #held: Result<T> | undefined

  /**
   * @param read gives what the text holds, or all that is wrong with it
   * @param unreadable says that there is no text
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

  /** As the file is now. Looks at the file each time (some microseconds), reads it only after a change. */
  now(): Result<T> {
    this.#checkedAt = this.#clock.now()
    try {
      const { dev, ino, size, mtimeNs } = statSync(this.#path, { bigint: true })
      const stamp = [dev, ino, size, mtimeNs].join(' ')
      if (this.#held && stamp === this.#stamp) return this.#held
      this.#held = this.#read(readFileSync(this.#path, 'utf8'))
      this.#stamp = stamp
    } catch (error) {
      this.#held = this.#unreadable(error instanceof Error ? error.message : String(error))
      this.#stamp = ''
    }
    return this.#held
  }

  /** As the file was a moment ago: for questions that are asked thousands of times in one call. */
  recent(): Result<T> {
    return this.#held && Math.abs(this.#clock.now() - this.#checkedAt) < RECENT_MS ? this.#held : this.now()
  }
}
