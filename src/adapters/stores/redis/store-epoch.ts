import { randomUUID } from 'node:crypto'
import { StoreError, storeProblem } from '../problems.ts'
import type { Functions } from './functions.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import { texts } from './reply.ts'

/** The layout of keys that this version reads and writes. */
const SCHEMA = 1

/** How many numbers each life of the store leaves to the one before it, which forgot which ones it had given. */
const NUMBERS_A_LIFE = 1000

interface Life {
  readonly born: string
  /** How many lives were lost before this one, as far as any node could know. */
  readonly wipes: number
}

/** Which life of the store this is. A store that was emptied has another, and must not give the numbers of the last. */
export class StoreEpoch {
  readonly #link: Link
  readonly #functions: Functions
  readonly #keys: Keys
  readonly #checks: readonly string[]
  #life: Life = { born: '', wipes: 0 }

  /** @param checks what the deployment's secrets leave in a store to be known by, the newest first */
  constructor(link: Link, functions: Functions, keys: Keys, checks: readonly string[]) {
    this.#link = link
    this.#functions = functions
    this.#keys = keys
    this.#checks = checks
  }

  /** Tells the lives of the store apart. */
  get born(): string {
    return this.#life.born
  }

  /** Begins the store where there is none. Rejects where another secret or a newer version began it. */
  async meet(wipes = 0): Promise<void> {
    const args = [randomUUID(), wipes, SCHEMA, ...this.#checks]
    const [born, check, known, schema] = texts(await this.#functions.call('meet', [this.#keys.store], args))
    const { server } = this.#link
    if (!this.#checks.includes(check ?? ''))
      throw new StoreError(storeProblem('store_secret_differs', { server, store: this.#keys.store }))
    if (Number(schema) > SCHEMA)
      throw new StoreError(
        storeProblem('store_newer', { file: server, found: Number(schema), known: SCHEMA }),
      )
    this.#life = { born: born ?? '', wipes: Number(known) }
  }

  /** From now on the store is known by the newest secret: a node that has only older ones is refused. */
  async takeOver(): Promise<void> {
    const [newest] = this.#checks
    if (newest !== undefined) await this.#link.send(['HSET', this.#keys.store, 'check', newest])
  }

  /**
   * Has a number made that no life of the store has given before: in one wait where the store is the one that was known.
   *
   * @param make gives a number of at least `floor`; done again where the store turns out to be another
   * @param undo takes back what was made in that case
   */
  async numbered<T>(
    make: (floor: number) => Promise<T>,
    undo: (made: T) => Promise<unknown> = async () => {},
  ): Promise<T> {
    // Looked at after the number was made: an emptying before that is seen, and compared with the life that this number
    // was made for: others may have met the next one in the meantime.
    const known = this.#life
    const made = make(this.#floor())
    const looked = this.#link.send(['HMGET', this.#keys.store, 'born', 'wipes'])
    const [number, seen] = await Promise.all([made, looked])
    const [born, wipes] = texts(seen)
    if (born === known.born && Number(wipes) === known.wipes) return number
    await Promise.all([undo(number), this.meet(born === this.#life.born ? 0 : this.#life.wipes + 1)])
    return make(this.#floor())
  }

  #floor(): number {
    return this.#life.wipes * NUMBERS_A_LIFE
  }
}
