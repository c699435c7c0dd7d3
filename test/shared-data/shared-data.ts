import { existsSync, readdirSync } from 'node:fs'

/** Catalogs by other authors. They lie beside the project on some machines and are no part of it. */
export const SHARED_DATA = new URL('../../../shared/data/', import.meta.url)

/** Facts about an existing implementation of the language, in the same place. */
export const SHARED_FACTS = new URL('../../../shared/spec/language-cases.json', import.meta.url)

/** Why these tests are skipped; undefined where the data is there. */
export const whyNoSharedData = existsSync(SHARED_DATA) ? undefined : 'skipped: there is no ../shared/data'
export const whyNoSharedFacts = existsSync(SHARED_FACTS) ? undefined : 'skipped: there are no shared facts'

/** The reason, as the end of a title; empty where nothing is skipped. */
export const sharedDataNote = whyNoSharedData === undefined ? '' : ` (${whyNoSharedData})`
export const sharedFactsNote = whyNoSharedFacts === undefined ? '' : ` (${whyNoSharedFacts})`

/** Names and paths of the catalogs of one kind; empty where there are none. */
export function sharedCatalogs(
  kind: 'catalogs' | 'fixtures',
): readonly (readonly [name: string, path: string])[] {
  const folder = new URL(`${kind}/`, SHARED_DATA)
  if (!existsSync(folder)) return []
  return readdirSync(folder).map((name) => [name, new URL(name, folder).pathname] as const)
}
