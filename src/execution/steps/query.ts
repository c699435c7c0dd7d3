import { failed } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { type Invocation, whereOf } from '../invocation.ts'
import { fillArguments, knownFilters } from '../read/operand.ts'
import type { LiveRow } from '../row.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import { usedFields } from '../reading.ts'
import { readRows } from '../source.ts'
import { capabilityOf, catalogOf } from './node.ts'
import { toTable } from './table.ts'

/** A list or search: reads pages until the later nodes have enough rows. */
export async function runQuery(
  operation: Extract<Operation, { kind: 'query' }>,
  step: NodeRun,
  cursor?: LiveRow,
): Promise<NodeResult> {
  const { run, node } = step
  const pinned = catalogOf(run, node)
  const { catalog } = pinned
  const capability = capabilityOf(pinned, operation.capability)
  const where = whereOf({ pinned, capability })
  const sources = { run, ...(cursor && { cursor }) }
  const given = fillArguments(operation.arguments, catalog, where, sources)
  const filters = knownFilters(operation.filters, catalog, where, sources)
  if (!given.ok || !filters.ok)
    return failed([...(given.ok ? [] : given.problems), ...(filters.ok ? [] : filters.problems)])
  // The body of an each is read whole: its rows are joined with those of the others.
  const demand = cursor ? Infinity : run.demand(node.id)
  const invocation: Invocation = { pinned, capability, arguments: given.value }
  const read = await readRows(run, {
    invocation,
    filters: filters.value,
    wanted: operation.limit ?? (demand === 0 ? (operation.pageSize ?? 0) : demand),
    ...(operation.limit !== undefined && { limit: operation.limit }),
    ...(operation.pageSize !== undefined && demand === 0 && { pageSize: operation.pageSize }),
    ...usedFields(operation),
  })
  return toTable(read, invocation, step.warn)
}
