import type { ExactJson, Json } from '../../base/canonical.ts'
import { failed, ok } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { sameValue } from '../read/compare.ts'
import { checkedValue, fillArguments, knownFilters } from '../read/operand.ts'
import { identityValue, type LiveRow, rowValue } from '../row.ts'
import { whereOf } from '../invocation.ts'
import { problem } from '../problems.ts'
import { readRows } from '../source.ts'
import { type Reading, usedFields } from '../reading.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import { problemsIn } from './children.ts'
import { fanOut } from './fan-out.ts'
import { capabilityOf, catalogOf, sourceOf } from './node.ts'
import { toTable } from './table.ts'

/**
 * The rows that refer to rows of the source: one query for each row where the API takes the reference as a parameter,
 * else one query for all, thinned here by the field that holds the reference.
 */
export async function runReverse(
  operation: Extract<Operation, { kind: 'reverse' }>,
  step: NodeRun,
): Promise<NodeResult> {
  const { run, node } = step
  const source = sourceOf(step, operation.source)
  const pinned = catalogOf(run, node)
  const { catalog } = pinned
  const capability = capabilityOf(pinned, operation.capability)
  const where = whereOf({ pinned, capability })
  const given = fillArguments(operation.arguments, catalog, where, { run })
  const filters = knownFilters(operation.filters, catalog, where, { run })
  const entity = indexOf(catalog).entities.get(capability.entity)
  if (!given.ok || !filters.ok) return failed([...problemsIn(given), ...problemsIn(filters)])
  if (!entity) throw new Error(`${capability.name} has no entity`)
  const reading = (values: ReadonlyMap<string, ExactJson>, wanted: number): Reading => ({
    invocation: { pinned, capability, arguments: values },
    filters: filters.value,
    wanted,
    ...usedFields(operation),
    // The rows are chosen by it.
    needs: [...(operation.needs ?? []), operation.parameter],
    ...(!operation.needs && { whole: true }),
  })
  const parameter = capability.parameters.find(({ name }) => name === operation.parameter)
  if (!parameter) {
    const read = reading(given.value, Infinity)
    const table = toTable(await readRows(run, read), read.invocation, step.warn)
    if (!table.ok) return table
    const ids = source.rows.map(identityValue).filter((id) => id !== undefined)
    const rows = await run.world.pace.filter(table.value.rows, (row) =>
      refersTo(row, operation.parameter, ids),
    )
    return ok({ ...table.value, rows })
  }
  const bound = source.rows.flatMap((parent) => {
    const id = identityValue(parent)
    const value = id === undefined ? undefined : checkedValue(parameter, id, { catalog, where, run })
    return value?.ok ? [{ parent, values: new Map([...given.value, [parameter.name, value.value]]) }] : []
  })
  const what = `^${entity.name}`
  const lost = source.rows.length - bound.length
  if (lost > 0) step.warn(problem('parent_without_value', { relation: what, rows: lost, field: 'its id' }))
  const target = { pinned, entity }
  return fanOut({ bound, sources: source.rows.length, target, reading, what: `\`${what}\`` }, step)
}

function refersTo(row: LiveRow, field: string, ids: readonly Json[]): boolean {
  const value = rowValue(row, [field])
  return value !== undefined && value !== null && ids.some((id) => sameValue(value, id))
}
