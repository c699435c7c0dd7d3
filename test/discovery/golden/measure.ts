import type { CatalogSet } from '../../../src/catalog/lookup.ts'
import { ask } from '../asking.ts'
import type { Golden } from './halves.ts'

/** How well a set of questions is answered: shares from 0 to 1. */
export interface Measure {
  /** Of what has to be found, the share among the first five rows. */
  readonly recall: number
  /** Of the questions that nothing fits, the share whose rows are all weak. */
  readonly unsure: number
  /** Of the other questions, the share whose rows are all weak. */
  readonly doubted: number
}

const FIRST_ROWS = 5

export function measure(set: CatalogSet, questions: readonly Golden[]): Measure {
  const answers = questions.map(({ intent, expect }) => {
    const { rows } = ask(set, intent)
    const first = rows.slice(0, FIRST_ROWS)
    const names = new Set(
      first.flatMap(({ api, also, entity }) => [api, ...also].map((id) => `${id}:${entity}`)),
    )
    return {
      wanted: expect.length,
      found: expect.filter((group) => group.some((one) => names.has(one))).length,
      isWeak: rows.every(({ fit }) => fit === 'weak'),
    }
  })
  const served = answers.filter(({ wanted }) => wanted > 0)
  const unserved = answers.filter(({ wanted }) => wanted === 0)
  const sum = (of: (answer: (typeof answers)[number]) => number) =>
    served.reduce((total, answer) => total + of(answer), 0)
  const weak = (some: typeof answers) => some.filter(({ isWeak }) => isWeak).length / some.length
  return {
    recall: sum(({ found }) => found) / sum(({ wanted }) => wanted),
    unsure: weak(unserved),
    doubted: weak(served),
  }
}
