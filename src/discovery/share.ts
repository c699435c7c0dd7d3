import type { Hit } from './fit.ts'
import { groupBy } from './group.ts'

export interface Shared {
  /** What to show, best first. */
  readonly shown: readonly Hit[]
  /** What fits equally but exceeds the limit, best first. */
  readonly omitted: readonly Hit[]
}

const MAX_ROWS = 12
const MAX_ROWS_A_CATALOG = 8

/** Takes one row from each catalog in turn, so that every fitting catalog is represented; the result is in rank order. */
export function share(ranked: readonly Hit[], limit = MAX_ROWS): Shared {
  const most = Math.min(limit, MAX_ROWS)
  const queues = [...groupBy(ranked, ({ catalog }) => catalog.id).values()].map((queue) =>
    queue.slice(0, MAX_ROWS_A_CATALOG),
  )
  const chosen = new Set<Hit>()
  for (let round = 0; round < MAX_ROWS_A_CATALOG; round++) {
    for (const queue of queues) {
      const next = queue[round]
      if (next && chosen.size < most) chosen.add(next)
    }
  }
  return { shown: ranked.filter((hit) => chosen.has(hit)), omitted: ranked.filter((hit) => !chosen.has(hit)) }
}
