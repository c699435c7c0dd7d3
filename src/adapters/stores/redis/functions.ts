import { ErrorReply } from '@redis/client'
import { functionName, LIBRARY } from './library.ts'
import type { Link } from './link.ts'

/** How often a call loads the library: a server that loses it again at once is being emptied concurrently. */
const ATTEMPTS = 3

/** The functions of our library on a server that may lose them (an empty restart, `FUNCTION FLUSH`) at any time. */
export class Functions {
  readonly #link: Link
  #loading: Promise<void> | undefined

  constructor(link: Link) {
    this.#link = link
  }

  async call(name: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const words = ['FCALL', functionName(name), keys.length, ...keys, ...args]
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#link.send(words)
      } catch (error) {
        if (attempt === ATTEMPTS || !isRefusal(error, 'Function not found')) throw error
        await this.load()
      }
    }
  }

  /** Loads the library; concurrent callers share one load. */
  async load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined))
    await this.#loading
  }

  async #load(): Promise<void> {
    try {
      await this.#link.send(['FUNCTION', 'LOAD', LIBRARY])
    } catch (error) {
      // Another node loaded it first, with the same bytes: the name is their hash.
      if (!isRefusal(error, 'already exists')) throw error
    }
  }
}

function isRefusal(error: unknown, words: string): boolean {
  return error instanceof ErrorReply && error.message.includes(words)
}
