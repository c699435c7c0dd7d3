import { randomUUID } from 'node:crypto'
import { StoreError, storeProblem } from '../problems.ts'
import type { Functions } from './functions.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import { texts } from './reply.ts'

/** The layout of keys that this version reads and writes. */
const SCHEMA = 1

/** Numbers that each epoch reserves for the previous one, whose last allocations were lost. */
const NUMBERS_A_LIFE = 1000

interface Life {
  readonly born: string
  /** How many epochs were lost before this one, as far as any node could know. */
  readonly wipes: number
}

/** The epoch of the store. An emptied store starts another epoch, which must not reuse the numbers of the last. */
export class StoreEpoch {
  readonly #link: Link
  readonly #functions: Functions
  readonly #keys: Keys
  readonly #checks: readonly string[]
  #life: Life = { born: '', wipes: 0 }

  /** @param checks fingerprints of the deployment's secrets, newest first: a store keeps one of them */
  constructor(link: Link, functions: Functions, keys: Keys, checks: readonly string[]) {
    this.#link = link
    this.#functions = functions
    this.#keys = keys
    this.#checks = checks
  }

  /** Identifies the epoch. */
  get born(): string {
    return this.#life.born
  }

  /** Initializes an empty store. Rejects if the store belongs to another secret or a newer version. */
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

  /** Binds the store to the newest secret: a node that has only older secrets is then refused. */
  async takeOver(): Promise<void> {
    const [newest] = this.#checks
    if (newest !== undefined) await this.#link.send(['HSET', this.#keys.store, 'check', newest])
  }

  /**
   * Allocates a number that no epoch has allocated before: one round trip while the epoch is the known one.
   *
   * @param make allocates a number of at least `floor`; repeated if the epoch changed
   * @param undo releases the number in that case
   */
  async numbered<T>(
    make: (floor: number) => Promise<T>,
    undo: (made: T) => Promise<unknown> = async () => {},
  ): Promise<T> {
    // The epoch is read after the allocation, which shows an emptying before it. It is compared with the epoch that
    // this number was made for, since concurrent calls may have met the next one in the meantime.
    const known = this.#life
    const made = make(this.forgotten)
    const looked = this.#link.send(['HMGET', this.#keys.store, 'born', 'wipes'])
    const [number, seen] = await Promise.all([made, looked])
    const [born, wipes] = texts(seen)
    if (born === known.born && Number(wipes) === known.wipes) return number
    await Promise.all([undo(number), this.meet(born === this.#life.born ? 0 : this.#life.wipes + 1)])
    return make(this.forgotten)
  }

  /** How many numbers the epochs before this one may have used, as far as this node knows. */
  get forgotten(): number {
    return this.#life.wipes * NUMBERS_A_LIFE
  }
}
