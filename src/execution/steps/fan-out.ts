import type { ExactJson } from '../../base/canonical.ts'
import type { Problem } from '../../base/diagnostic.ts'
import { gather } from '../read/gather.ts'
import type { Thin } from '../read/hydrate.ts'
import { readRows } from '../source.ts'
import type { Reading } from '../reading.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import type { LiveRow } from '../row.ts'
import { attributed, reachedTable, type Reached } from './children.ts'
import { toTable } from './table.ts'

/** A row of the source and the arguments that it gives. */
export interface Bound {
  readonly parent: LiveRow
  readonly values: ReadonlyMap<string, ExactJson>
}

/** What is read for every row of a source. */
export interface FanOut {
  readonly bound: readonly Bound[]
  /** The rows of the source, those that could not be bound included. */
  readonly sources: number
  readonly target: Reached
  /** The read for the arguments of a row; `wanted` for how much of it. */
  readonly reading: (values: ReadonlyMap<string, ExactJson>, wanted: number) => Reading
  readonly limit?: number
  /** What is filled for the rows that a limit keeps of several lists, and that `reading` leaves out. */
  readonly fills?: Pick<Thin, 'fields' | 'provided'>
  /** How messages call it. */
  readonly what: string
}

/**
 * One list read for each row of a source, rows in the order of the source. Of a single row it is read like any list, a
 * page at a time where nothing needs more; of several each list is read to its end, within the budget.
 */
export async function fanOut(
  { bound, sources, target, reading, limit, fills, what }: FanOut,
  step: NodeRun,
): Promise<NodeResult> {
  const [only] = bound
  if (only && sources === 1) {
    const read = reading(only.values, limit ?? step.run.demand(step.node.id))
    const found = await readRows(step.run, read)
    return toTable({ ...found, rows: attributed([only.parent], [found.rows]) }, read.invocation, step.warn)
  }
  const notes: Problem[] = []
  const gathered = await gather(bound, {
    keyOf: ({ values }) => Object.fromEntries(values),
    read: async ({ values }) => {
      const read = await readRows(step.run, reading(values, limit ?? Infinity))
      const [first] = read.problems
      if (read.failed && first) return { ok: false as const, problem: first, why: read.failed }
      notes.push(...read.problems)
      return { ok: true as const, value: read.rows, missing: read.missing }
    },
    what,
    pace: step.run.world.pace,
  })
  const rows = attributed(
    bound.map(({ parent }) => parent),
    gathered.results,
  )
  // The same thing may be wrong with every list: it is said once.
  const problems = [
    ...gathered.problems,
    ...notes.filter((one, at) => notes.findIndex(({ code }) => code === one.code) === at),
  ]
  const cut = { ...(limit !== undefined && { limit }), ...(fills && { fills }) }
  return reachedTable(target, { ...gathered, rows, problems }, step, cut)
}
