import type { Problem } from '../../base/diagnostic.ts'
import { entityNameOf } from '../invocation.ts'
import { throughout, worst } from '../completeness.ts'
import { passingRows } from '../read/filter.ts'
import { joinFilters } from '../read/joined.ts'
import type { Reading } from '../reading.ts'
import { type CallContext, type CallOf, notGot, nothingRead, type ReadRows, type Source } from '../source.ts'
import type { ViewRead } from '../view/row.ts'
import { readView } from '../view/view.ts'

/** Rows that are composed of other reads of the catalog. A view only reads. */
export const view: Source<CallOf<'view'>> = {
  get: async (call, invocation, context) => {
    const read = await readView(context, call.view, invocation)
    return read.ok ? read : notGot(read.problems, read.why)
  },
  list: async (call, reading, context) => {
    const read = await readView(context, call.view, reading.invocation)
    return read.ok ? filtered(read, reading, context) : nothingRead(read.problems, read.why)
  },
}

/** The one row of a view, where it meets the conditions. */
async function filtered(
  read: Extract<ViewRead, { ok: true }>,
  { invocation, filters }: Reading,
  context: CallContext,
): Promise<ReadRows> {
  const problems: Problem[] = [...read.problems]
  const entity = entityNameOf(invocation)
  const joined = await joinFilters(context, { entity, rows: [read.row], filters }, (found) =>
    problems.push(found),
  )
  const missing = worst(throughout(joined.missing), read.missing)
  const rows = await passingRows(context.world.pace, joined.rows, filters)
  return { rows, problems, missing }
}
