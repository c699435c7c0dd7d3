import { LRUCache } from 'lru-cache'
import { fingerprint } from '../../base/hash.ts'
import type { Catalog } from '../../catalog/model.ts'
import { type SymbolSpace, symbolSpace } from '../../session/exposure.ts'
import type { Wave } from '../../session/record.ts'

/** The most symbol spaces in memory, and the most entities in all of them. */
const KEPT = { max: 1000, maxSize: 50_000 }

/** Symbol spaces by their waves: sessions whose logs are equal share one. */
export class Spaces {
  readonly #cache = new LRUCache<string, { readonly log: string; readonly space: SymbolSpace }>({
    ...KEPT,
    sizeCalculation: ({ space }) => 1 + space.entities.length,
  })

  /** The space of these waves; the same object for an equal log. */
  of(waves: readonly Wave[], model: (digest: string) => Catalog): SymbolSpace {
    const log = JSON.stringify(waves)
    const key = fingerprint(log)
    const held = this.#cache.get(key)
    // A fingerprint may collide; a log compared in full may not.
    if (held?.log === log) return held.space
    const space = symbolSpace(waves, model)
    this.#cache.set(key, { log, space })
    return space
  }
}
