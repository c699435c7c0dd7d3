import { failed, ok, type Problem } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Capability, Catalog } from '../../catalog/model.ts'
import type { Operation, PlanNode } from '../../language/plan/plan.ts'
import type { Invocation } from '../invocation.ts'
import { fillArguments, knownFilters } from '../read/operand.ts'
import { entityNameOf, readRows, type ReadRows } from '../read/list.ts'
import { columnsOf } from '../http/response/decode.ts'
import type { Run, Step, Stepped, Table } from '../run.ts'
import type { LiveRow } from '../row.ts'

/** The catalog that a node's calls go to, under the digest that the plan was checked with. */
export function catalogOf(run: Run, node: PlanNode): { readonly catalog: Catalog; readonly digest: string } {
  if (!node.entity) throw new Error(`${node.id} calls an API and names no catalog`)
  return { catalog: run.world.model(node.entity.digest), digest: node.entity.digest }
}

/** A capability that the plan names. */
export function capabilityOf(catalog: Catalog, name: string): Capability {
  const capability = indexOf(catalog).capabilities.get(name)
  if (!capability) throw new Error(`the plan names ${name}, which ${catalog.id} does not have`)
  return capability
}

/** A list or search: pages are read until what stands on top of it has what it needs. */
export async function runQuery(
  operation: Extract<Operation, { kind: 'query' }>,
  step: Step,
  cursor?: LiveRow,
): Promise<Stepped> {
  const { run, node } = step
  const { catalog, digest } = catalogOf(run, node)
  const capability = capabilityOf(catalog, operation.capability)
  const where = { catalog: catalog.id, capability: capability.name }
  const sources = { run, ...(cursor && { cursor }) }
  const given = fillArguments(operation.arguments, catalog, where, sources)
  const filters = knownFilters(operation.filters, catalog, where, sources)
  if (!given.ok || !filters.ok)
    return failed([...(given.ok ? [] : given.problems), ...(filters.ok ? [] : filters.problems)])
  // The body of an each is read whole: its rows are joined with those of the others.
  const demand = cursor ? Infinity : run.demand(node.id)
  const invocation: Invocation = { catalog, capability, arguments: given.value }
  const read = await readRows(run, {
    invocation,
    digest,
    filters: filters.value,
    wanted: operation.limit ?? demand,
    ...(operation.limit !== undefined && { limit: operation.limit }),
    ...(operation.pageSize !== undefined && demand === 0 && { pageSize: operation.pageSize }),
    ...(operation.needs && { needs: operation.needs }),
  })
  return toTable(read, invocation, digest, step.warn)
}

/** What a read gave, as a table; the problems of a read that gave nothing. */
export function toTable(
  read: ReadRows,
  invocation: Invocation,
  digest: string,
  warn: (found: Problem) => void,
): Stepped {
  if (read.failed) return failed(read.problems)
  for (const found of read.problems) warn(found)
  const entity = indexOf(invocation.catalog).entities.get(invocation.capability.entity)
  const table: Table = {
    entity: entityNameOf(invocation, digest),
    columns: entity ? columnsOf(entity, read.rows) : [],
    rows: read.rows,
    ...(read.partial && { partial: read.partial }),
    ...(read.continuation && { continuation: read.continuation }),
  }
  return ok(table)
}
