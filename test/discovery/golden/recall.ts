import { readCatalogPath } from '../../../src/adapters/catalogs/read-path.ts'
import { pin } from '../../../src/catalog/digest.ts'
import { catalogSet, type CatalogSet } from '../../../src/catalog/lookup.ts'
import type { Golden } from './halves.ts'

export async function setOf(paths: readonly string[]): Promise<CatalogSet> {
  const readings = await Promise.all(paths.map(readCatalogPath))
  return catalogSet(readings.flatMap(({ catalog }) => (catalog ? [pin(catalog)] : [])))
}

/** Questions, and the shares that must be found and left unanswered. */
export interface Recall {
  readonly name: string
  readonly asked: readonly Golden[]
  readonly recall: number
  readonly silence: number
}
