import { pin } from '../../../src/catalog/digest.ts'
import { catalogSet, type CatalogSet } from '../../../src/catalog/lookup.ts'
import { readingOf } from '../../readings.ts'
import type { Golden } from './halves.ts'

export async function setOf(paths: readonly string[]): Promise<CatalogSet> {
  const readings = await Promise.all(paths.map((path) => readingOf(path)))
  return catalogSet(readings.flatMap(({ catalog }) => (catalog ? [pin(catalog)] : [])))
}

/** Questions, and what must be reached: at least `recall` and `unsure`, at most `doubted`. */
export interface Reached {
  readonly name: string
  readonly asked: readonly Golden[]
  readonly recall: number
  readonly unsure: number
  readonly doubted: number
}
