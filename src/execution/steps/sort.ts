import type { Json } from '../../base/canonical.ts'
import { ok } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { compareValues, isNothing, orderType } from '../read/compare.ts'
import { rowValue } from '../row.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import { sourceOf } from './node.ts'

/** Rows by a value: stable in both directions, rows without the value last. */
export async function runSort(
  operation: Extract<Operation, { kind: 'sort' }>,
  step: NodeRun,
): Promise<NodeResult> {
  const { pace } = step.run.world
  const { entity, columns, rows } = sourceOf(step, operation.source)
  const keyed = await pace.map(rows, (row) => ({ row, key: rowValue(row, operation.path) }))
  const type = orderType(
    keyed.map(({ key }) => key),
    operation.type,
  )
  const order = (a: Json | undefined, b: Json | undefined) => {
    if (isNothing(a) || isNothing(b)) return Number(isNothing(a)) - Number(isNothing(b))
    return compareValues(a, b, type) * (operation.descending ? -1 : 1)
  }
  const sorted = await pace.sorted(keyed, (a, b) => order(a.key, b.key))
  return ok({
    ...(entity && { entity }),
    columns,
    rows: sorted.map(({ row }) => row),
    missing: null,
  })
}
