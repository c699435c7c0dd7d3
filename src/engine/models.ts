import { LRUCache } from 'lru-cache'
import { lengthPrefixed } from '../base/canonical.ts'
import type { Secret, Secrets } from '../base/hash.ts'
import type { CatalogSet } from '../catalog/lookup.ts'
import type { Catalog } from '../catalog/model.ts'
import { addressOf } from '../session/identity.ts'
import type { SymbolSpace } from '../session/exposure.ts'
import type { Wave } from '../session/record.ts'
import type { SessionStore } from '../session/store.ts'
import { Spaces } from './spaces.ts'

/** Where a session is, or was begun under an older secret: the newest first. */
export type Addresses = readonly [string, ...string[]]

export function addressesBy([newest, ...older]: Secrets, address: (secret: Secret) => string): Addresses {
  return [address(newest), ...older.map(address)]
}

/** What is derived from a session's waves. */
export interface Derived {
  /** The catalog model under a digest that the waves name. */
  readonly model: (digest: string) => Catalog
  readonly spaceOf: (waves: readonly Wave[]) => SymbolSpace
}

/**
 * What is derived again and again, in memory: catalog models by digest (today's from the catalog set, older ones from the
 * store), symbol spaces, and the addresses of intents.
 */
export class Models {
  readonly #store: Pick<SessionStore, 'model' | 'keepModel'>
  readonly #cache = new LRUCache<string, Catalog>({ max: 256 })
  readonly #kept = new Set<string>()
  readonly #spaces = new Spaces()
  readonly #addresses = new LRUCache<string, Addresses>({ max: 10_000 })

  constructor(store: Pick<SessionStore, 'model' | 'keepModel'>) {
    this.#store = store
  }

  /**
   * Brings the models under these digests into memory and answers with the look-up over exactly them.
   *
   * @throws where the store lost a model that a record names: our own promise was broken
   */
  async load(digests: Iterable<string>, set: CatalogSet): Promise<(digest: string) => Catalog> {
    const held = new Map<string, Catalog>()
    for (const { digest, catalog } of set.byId.values()) held.set(digest, catalog)
    for (const digest of digests) {
      if (digest === '' || held.has(digest)) continue
      const model = this.#cache.get(digest) ?? (await this.#store.model(digest))
      if (!model) throw new Error(`the store holds no catalog model ${digest}, which a session pins`)
      this.#cache.set(digest, model)
      held.set(digest, model)
    }
    return (digest) => {
      const model = held.get(digest)
      if (!model) throw new Error(`catalog model ${digest} was not loaded`)
      return model
    }
  }

  /** The addresses of an intent by each of the secrets: an HMAC each for an intent that is in use. */
  addressesOf(secrets: Secrets, scope: readonly string[], intent: string): Addresses {
    const key = lengthPrefixed([...scope, '', intent])
    const known = this.#addresses.get(key)
    if (known) return known
    const addresses = addressesBy(secrets, (secret) => addressOf(secret, scope, intent))
    this.#addresses.set(key, addresses)
    return addresses
  }

  /** What a session's waves are read with: the models that they pin, and symbol spaces over them. */
  async derive(waves: readonly Wave[], set: CatalogSet): Promise<Derived> {
    const model = await this.load(
      waves.flatMap((wave) => wave.picks.map((pick) => pick.digest)),
      set,
    )
    return { model, spaceOf: (some) => this.#spaces.of(some, model) }
  }

  /** Makes sure that the store holds today's models under these digests, before a record names them. */
  async keep(digests: Iterable<string>, set: CatalogSet): Promise<void> {
    const wanted = new Set(digests)
    for (const { digest, catalog } of set.byId.values()) {
      if (!wanted.has(digest) || this.#kept.has(digest)) continue
      await this.#store.keepModel(digest, catalog)
      this.#kept.add(digest)
    }
  }
}
