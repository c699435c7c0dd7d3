import { failed, ok } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { problem } from '../problems.ts'
import type { Step, Stepped } from '../run.ts'
import { sourceOf } from './node.ts'

/** The first rows. When there are as many as asked for, nothing is missing. */
export function runLimit({ source, count }: Extract<Operation, { kind: 'limit' }>, step: Step): Stepped {
  const { partial, continuation: _, ...table } = sourceOf(step, source)
  const rows = table.rows.slice(0, count)
  return ok({ ...table, rows, ...(partial && rows.length < count && { partial }) })
}

/** Exactly one row, proven: wrong rows are never chosen in silence. */
export function runSingleton({ source }: Extract<Operation, { kind: 'singleton' }>, step: Step): Stepped {
  const { partial: _, continuation: __, ...table } = sourceOf(step, source)
  if (table.rows.length === 1) return ok(table)
  return failed([problem('not_single', { source: step.run.nameOf(source), count: table.rows.length })])
}
