import { pin } from '../../src/catalog/digest.ts'
import type { Catalog } from '../../src/catalog/model.ts'
import type { Scope } from '../../src/language/check/model/scope.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import type { Wave } from '../../src/session/record.ts'
import { fixtureCatalog } from '../engine/fixtures.ts'
import { desk } from './desk-catalog.ts'

export const shop = fixtureCatalog('shop')
export const library = fixtureCatalog('library')

/** A session that was taught these entities of these catalogs, one wave a pair. */
export function sessionOf(...taught: readonly (readonly [catalog: Catalog, ...entities: string[]])[]): Scope {
  const pinned = taught.map(([catalog]) => pin(catalog))
  const models = new Map(pinned.map(({ digest, catalog }) => [digest, catalog]))
  const model = (digest: string): Catalog => {
    const found = models.get(digest)
    if (!found) throw new Error(`no model ${digest}`)
    return found
  }
  const waves = taught.map(([catalog, ...entities], index): Wave => {
    const digest = pinned[index]?.digest ?? ''
    const names =
      entities.length > 0 ? entities : catalog.entities.filter((one) => !one.abstract).map((one) => one.name)
    return {
      revision: index + 1,
      generation: 1,
      picks: [{ catalog: catalog.id, digest, lens: 'all', entities: names.toSorted() }],
    }
  })
  return { space: symbolSpace(waves, model), model, allows: () => true, ref: 's0' }
}

/** A session with the shop: e1 Customer, e2 Order, e3 OrderLine, e4 Product. */
export const inShop = sessionOf([shop])

/** A session with the shop, then the library: e5 Book, e6 Copy, e7 Order. */
export const inBoth = sessionOf([shop], [library])

/** A session with the desk: e1 Agent, e2 Badge, e3 Ticket. */
export const atDesk = sessionOf([desk])
