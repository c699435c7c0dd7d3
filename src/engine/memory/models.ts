import { LRUCache } from 'lru-cache'
import { entriesUpTo } from '../../base/cache-size.ts'
import { lengthPrefixed } from '../../base/canonical.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Secret, Secrets } from '../../base/hash.ts'
import type { CatalogSet } from '../../catalog/lookup.ts'
import type { Catalog } from '../../catalog/model.ts'
import { fromStored, toStored } from '../../catalog/stored.ts'
import { addressOf } from '../../session/identity.ts'
import type { SymbolSpace } from '../../session/exposure.ts'
import type { CatalogPick, Wave } from '../../session/record.ts'
import type { SessionStore } from '../../session/store.ts'
import { engineProblem } from '../problems.ts'
import { Spaces } from './spaces.ts'

/** The addresses of one intent, one for each secret, the newest first. */
export type Addresses = readonly [string, ...string[]]

export function addressesBy([newest, ...older]: Secrets, address: (secret: Secret) => string): Addresses {
  return [address(newest), ...older.map(address)]
}

/** Views that are derived from a session's waves. */
export interface Derived {
  /** The catalog model under a digest that the waves name. */
  readonly model: (digest: string) => Catalog
  /** Do the waves, or the catalogs served now, name this digest? */
  readonly holds: (digest: string) => boolean
  readonly spaceOf: (waves: readonly Wave[]) => SymbolSpace
}

/** Models by digest, and the catalogs of which one cannot be read. */
interface ReadModels {
  readonly held: ReadonlyMap<string, Catalog>
  readonly lost: ReadonlySet<string>
}

/**
 * A cache of derived data: catalog models by digest (today's from the catalog set, older ones from the store), symbol
 * spaces, and the addresses of intents.
 */
export class Models {
  readonly #store: Pick<SessionStore, 'model' | 'keepModel'>
  readonly #cache = new LRUCache<string, Catalog>({ max: 256 })
  readonly #spaces = new Spaces()
  readonly #addresses = new LRUCache<string, Addresses>(entriesUpTo(10_000))

  constructor(store: Pick<SessionStore, 'model' | 'keepModel'>) {
    this.#store = store
  }

  /**
   * Reads the models of these picks and today's.
   *
   * Gives `session_newer` if a later version of the server wrote one of them.
   */
  async read(
    picks: Iterable<Pick<CatalogPick, 'catalog' | 'digest'>>,
    set: CatalogSet,
  ): Promise<Result<ReadModels>> {
    const held = new Map<string, Catalog>()
    const lost = new Set<string>()
    for (const { digest, catalog } of set.byId.values()) held.set(digest, catalog)
    for (const { digest, catalog } of picks) {
      if (digest === '' || held.has(digest)) continue
      const model = this.#cache.get(digest) ?? (await this.#stored(digest))
      if (model === 'newer') return failed([engineProblem('session_newer', {})])
      if (model) {
        this.#cache.set(digest, model)
        held.set(digest, model)
      } else lost.add(catalog)
    }
    return ok({ held, lost })
  }

  async #stored(digest: string): Promise<Catalog | 'newer' | undefined> {
    const stored = await this.#store.model(digest)
    return stored ? fromStored(stored) : undefined
  }

  /** The addresses of an intent: one HMAC for each secret, cached. */
  addressesOf(secrets: Secrets, scope: readonly string[], intent: string): Addresses {
    const key = lengthPrefixed([...scope, '', intent])
    const known = this.#addresses.get(key)
    if (known) return known
    const addresses = addressesBy(secrets, (secret) => addressOf(secret, scope, intent))
    this.#addresses.set(key, addresses)
    return addresses
  }

  /**
   * What a session's waves are read with: the models that they pin, and symbol spaces over them.
   *
   * Gives `catalog_lost` for each catalog whose model the store does not hold, or holds in the shape of an earlier version.
   */
  async derive(waves: readonly Wave[], set: CatalogSet): Promise<Result<Derived>> {
    const read = await this.read(
      waves.flatMap((wave) => wave.picks),
      set,
    )
    if (!read.ok) return read
    const { held, lost } = read.value
    if (lost.size > 0) return failed([...lost].map((catalog) => engineProblem('catalog_lost', { catalog })))
    const model = (digest: string) => {
      const found = held.get(digest)
      if (!found) throw new Error(`catalog model ${digest} was not loaded`)
      return found
    }
    return ok({ model, holds: (digest) => held.has(digest), spaceOf: (some) => this.#spaces.of(some, model) })
  }

  /** Makes sure that the store holds today's models under these digests, before a record names them. */
  async keep(digests: Iterable<string>, set: CatalogSet): Promise<void> {
    const wanted = new Set(digests)
    const named = [...set.byId.values()].filter(({ digest }) => wanted.has(digest))
    await Promise.all(named.map(({ digest, catalog }) => this.#store.keepModel(digest, toStored(catalog))))
  }
}
