import { failed, ok } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { columnsOf } from '../http/response/decode.ts'
import { problem } from '../problems.ts'
import { hydrate } from '../read/hydrate.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import { capabilityOf, sourceOf } from './node.ts'

/** The first rows; what the read of them left to be filled is filled for these alone. */
export async function runLimit(
  { source, count, fills }: Extract<Operation, { kind: 'limit' }>,
  step: NodeRun,
): Promise<NodeResult> {
  const { entity, columns, rows } = sourceOf(step, source)
  const first = rows.slice(0, count)
  if (!fills || !entity) return ok({ ...(entity && { entity }), columns, rows: first, missing: null })
  const pinned = { catalog: step.run.world.model(entity.digest), digest: entity.digest }
  const model = indexOf(pinned.catalog).entities.get(entity.entity)
  if (!model) throw new Error(`${step.node.id} cuts rows of an unknown entity`)
  const { provides } = capabilityOf(pinned, fills.capability)
  const filled = await hydrate(step.run, {
    pinned,
    entity: model,
    rows: first,
    fields: fills.fields,
    ...(provides && { provided: provides }),
  })
  for (const found of filled.problems) step.warn(found)
  return ok({ entity, columns: columnsOf(model, filled.rows), rows: filled.rows, missing: filled.missing })
}

/** Exactly one row, proven: wrong rows are never chosen in silence. */
export function runSingleton(
  { source }: Extract<Operation, { kind: 'singleton' }>,
  step: NodeRun,
): NodeResult {
  const { entity, columns, rows } = sourceOf(step, source)
  if (rows.length === 1) return ok({ ...(entity && { entity }), columns, rows, missing: null })
  return failed([problem('not_single', { source: step.run.nameOf(source), count: rows.length })])
}
