import { loadWordTable } from '../../src/adapters/embedder/load.ts'
import type { CatalogSet } from '../../src/catalog/lookup.ts'
import type { Visible } from '../../src/discovery/corpus.ts'
import { discover, type Discovery } from '../../src/discovery/discover.ts'

export const everything: Visible = { mayUseCatalog: () => true, mayUseCapability: () => true }

const embedder = await loadWordTable()

/** Asks with the vectors that are shipped. */
export function ask(set: CatalogSet, intent: string, more: object = {}, visible = everything): Discovery {
  return discover(set, { intent, ...more }, visible, embedder)
}

/** The rows of an answer, as `api Entity`. */
export function found(set: CatalogSet, intent: string, more: object = {}, visible = everything): string[] {
  return ask(set, intent, more, visible).rows.map(({ api, entity }) => `${api} ${entity}`)
}
