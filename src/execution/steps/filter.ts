import { failed, ok } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { passingRows } from '../read/filter.ts'
import { knownFilters } from '../read/operand.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import { sourceOf } from './node.ts'

/** Those rows that meet the conditions. */
export async function runFilter(
  { source, conditions }: Extract<Operation, { kind: 'filter' }>,
  step: NodeRun,
): Promise<NodeResult> {
  const { entity, columns, rows } = sourceOf(step, source)
  const catalog = entity && step.run.world.model(entity.digest)
  const what = step.run.nameOf(step.node.id)
  const known = knownFilters(
    conditions,
    catalog,
    { catalog: catalog?.id ?? '', capability: what, called: what },
    { run: step.run },
  )
  if (!known.ok) return failed(known.problems)
  const kept = await passingRows(step.run.world.pace, rows, known.value)
  return ok({ ...(entity && { entity }), columns, rows: kept, missing: null })
}
