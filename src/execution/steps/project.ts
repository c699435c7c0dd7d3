import { ok } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import type { Step, Stepped, Table } from '../run.ts'
import { project } from './page.ts'

/** What a node reads its rows from. */
export function sourceOf(step: Step, source: string): Table {
  const table = step.run.tables.get(source)
  if (!table) throw new Error(`${step.node.id} ran before ${source}`)
  return table
}

/** Chosen columns in written order; rows stay rows of what they were. */
export function runProject(
  { source, columns }: Extract<Operation, { kind: 'project' }>,
  step: Step,
): Stepped {
  return ok(project(sourceOf(step, source), columns))
}
