import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../base/clock.ts'
import type { Catalog } from '../../../catalog/model.ts'
import { UNNAMED_MS } from '../stored.ts'
import type { StoreEpoch } from './store-epoch.ts'
import type { Functions } from './functions.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import type { RedisParts } from './parts.ts'
import { stamp } from './reply.ts'

/** Catalog models under their digests, each in its own slot, kept as long as the last record that names them. */
export class StoredModels {
  readonly #link: Link
  readonly #functions: Functions
  readonly #keys: Keys
  readonly #epoch: StoreEpoch
  readonly #clock: Clock | undefined
  /** What this process has stored: stored again if the store loses it. */
  readonly #stored = new LRUCache<string, Catalog>({ max: 1024 })
  /** The latest time until which this process asked to keep each digest, and the epoch of the store it asked. */
  readonly #heldUntil = new LRUCache<string, number>({ max: 4096 })
  #heldBy = ''

  constructor({ link, functions, keys, epoch, clock }: RedisParts) {
    this.#link = link
    this.#functions = functions
    this.#keys = keys
    this.#epoch = epoch
    this.#clock = clock
  }

  async keep(digest: string, model: Catalog): Promise<void> {
    if (this.#stored.has(digest)) return
    await this.#put(digest, model)
    this.#stored.set(digest, model)
  }

  async load(digest: string): Promise<Catalog | null> {
    const text = await this.#link.send(['GET', this.#keys.model(digest)])
    return typeof text === 'string' ? JSON.parse(text) : null
  }

  /** Keeps the models at least until then; stores again what the store lost. */
  async hold(digests: readonly string[], until: number): Promise<void> {
    await Promise.all(digests.map((digest) => this.#hold(digest, until)))
  }

  /** Like `hold`, for frequent calls: skips the request if this process already asked for as much. */
  async holdSeldom(digests: readonly string[], until: number): Promise<void> {
    if (this.#heldBy !== this.#epoch.born) this.#heldUntil.clear()
    await this.hold(
      digests.filter((digest) => (this.#heldUntil.get(digest) ?? 0) < until),
      until + UNNAMED_MS,
    )
  }

  async #hold(digest: string, until: number): Promise<void> {
    const args = [stamp(this.#clock), until]
    const isThere = await this.#functions.call('hold_model', [this.#keys.model(digest)], args)
    const model = this.#stored.get(digest)
    if (Number(isThere) === 0 && model) {
      await this.#put(digest, model)
      await this.#functions.call('hold_model', [this.#keys.model(digest)], args)
    }
    this.#heldBy = this.#epoch.born
    this.#heldUntil.set(digest, until)
  }

  async #put(digest: string, model: Catalog): Promise<void> {
    await this.#functions.call('keep_model', [this.#keys.model(digest)], [JSON.stringify(model), UNNAMED_MS])
  }
}
