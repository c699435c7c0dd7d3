import { indexOf } from '../../catalog/lookup.ts'
import type { PinnedCatalog } from '../../catalog/digest.ts'
import type { Capability } from '../../catalog/model.ts'
import type { PlanNode } from '../../language/plan/plan.ts'
import type { Run, NodeRun } from '../run.ts'
import type { Table } from '../table.ts'

/** The catalog that a node's calls go to, under the digest that the plan was checked with. */
export function catalogOf(run: Run, node: PlanNode): PinnedCatalog {
  if (!node.entity) throw new Error(`${node.id} calls an API and names no catalog`)
  return { catalog: run.world.model(node.entity.digest), digest: node.entity.digest }
}

/** A capability that the plan names. */
export function capabilityOf({ catalog }: PinnedCatalog, name: string): Capability {
  const capability = indexOf(catalog).capabilities.get(name)
  if (!capability) throw new Error(`the plan names ${name}, which ${catalog.id} does not have`)
  return capability
}

/** What a node reads its rows from. */
export function sourceOf(step: NodeRun, source: string): Table {
  const table = step.run.tables.get(source)
  if (!table) throw new Error(`${step.node.id} ran before ${source}`)
  return table
}
