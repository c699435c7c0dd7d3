import type { CatalogSet } from '../../../src/catalog/lookup.ts'
import { discover } from '../../../src/discovery/discover.ts'
import type { Golden } from './halves.ts'

/** How well a set of questions is answered. Shares are from 0 to 1. */
export interface Measure {
  /** Of what has to be found, the share among the first five rows. */
  readonly recall: number
  /** Of the questions that nothing fits, the share answered so. */
  readonly silence: number
}

const FIRST_ROWS = 5
const everything = { mayUseCatalog: () => true, mayUseCapability: () => true }

export function measure(set: CatalogSet, questions: readonly Golden[]): Measure {
  let wanted = 0
  let found = 0
  let hopeless = 0
  let silent = 0
  for (const { intent, expect } of questions) {
    const { rows } = discover(set, { intent }, everything)
    const first = new Set(rows.slice(0, FIRST_ROWS).map(({ api, entity }) => `${api}:${entity}`))
    wanted += expect.length
    found += expect.filter((group) => group.some((one) => first.has(one))).length
    if (expect.length > 0) continue
    hopeless++
    if (rows.length === 0) silent++
  }
  return { recall: found / wanted, silence: silent / hopeless }
}
