import { existsSync, readdirSync } from 'node:fs'

const SHARED = new URL('../../../shared/', import.meta.url)

/** Catalogs by other authors. They lie beside the project on some machines and are no part of it. */
export const SHARED_DATA = new URL('data/', SHARED)

/** Facts about an existing implementation of the language, in the same place. */
export const SHARED_FACTS = new URL('spec/language-cases.json', SHARED)

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
