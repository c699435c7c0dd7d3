import { failed, ok } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { problem } from '../problems.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import { sourceOf } from './node.ts'

/** The first rows. */
export function runLimit(
  { source, count }: Extract<Operation, { kind: 'limit' }>,
  step: NodeRun,
): NodeResult {
  const { entity, columns, rows } = sourceOf(step, source)
  return ok({ ...(entity && { entity }), columns, rows: rows.slice(0, count), missing: null })
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
