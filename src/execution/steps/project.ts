import { ok } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import { sourceOf } from './node.ts'
import { project } from './page.ts'

/** Chosen columns in written order; rows stay rows of what they were. */
export async function runProject(
  { source, columns }: Extract<Operation, { kind: 'project' }>,
  step: NodeRun,
): Promise<NodeResult> {
  return ok({ ...(await project(sourceOf(step, source), columns, step.run.world.pace)), missing: null })
}
