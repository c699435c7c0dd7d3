import type { Json } from '../../base/canonical.ts'
import { failed, type Problem } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Parameter } from '../../catalog/model.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { sameValue } from '../compare.ts'
import { gather } from '../fetch.ts'
import { checkedValue, fillArguments, knownFilters } from '../operand.ts'
import type { Partial } from '../outcome.ts'
import { identityValue, rowValue } from '../path.ts'
import { problem } from '../problems.ts'
import { readRows, type Reading } from '../read.ts'
import type { LiveRow, Step, Stepped } from '../run.ts'
import { attributed, problemsIn, reachedTable, worse } from './children.ts'
import { sourceOf } from './project.ts'
import { capabilityOf, catalogOf, toTable } from './query.ts'

/**
 * The rows that refer to rows of the source: one query for each row where the API takes the reference as a parameter,
 * else one query for all, thinned here by the field that holds the reference.
 */
export async function runReverse(
  operation: Extract<Operation, { kind: 'reverse' }>,
  step: Step,
): Promise<Stepped> {
  const { run, node } = step
  const source = sourceOf(step, operation.source)
  const { catalog, digest } = catalogOf(run, node)
  const capability = capabilityOf(catalog, operation.capability)
  const where = { catalog: catalog.id, capability: capability.name }
  const given = fillArguments(operation.arguments, catalog, where, { run })
  const filters = knownFilters(operation.filters, catalog, where, { run })
  const entity = indexOf(catalog).entities.get(capability.entity)
  if (!given.ok || !filters.ok) return failed([...problemsIn(given), ...problemsIn(filters)])
  if (!entity) throw new Error(`${capability.name} has no entity`)
  const reading = (values: ReadonlyMap<string, Json>): Reading => ({
    invocation: { catalog, capability, arguments: values },
    digest,
    filters: filters.value,
    wanted: source.rows.length === 1 && parameterOf() ? run.demand(node.id) : Infinity,
    ...(operation.needs && { needs: operation.needs }),
  })
  const parameterOf = (): Parameter | undefined =>
    capability.parameters.find(({ name }) => name === operation.parameter)
  const parameter = parameterOf()

  if (!parameter) {
    const read = await readRows(run, reading(given.value))
    const table = toTable(read, reading(given.value).invocation, digest, step.warn)
    return table.ok
      ? {
          ok: true,
          value: {
            ...table.value,
            rows: table.value.rows.filter((row) => refersTo(row, operation.parameter, source.rows)),
          },
        }
      : table
  }

  const bound = source.rows.flatMap((parent) => {
    const id = identityValue(parent)
    const value = id === undefined ? undefined : checkedValue(parameter, id, catalog, where, { run })
    return value?.ok ? [{ parent, values: new Map([...given.value, [parameter.name, value.value]]) }] : []
  })
  const lost = source.rows.length - bound.length
  if (lost > 0)
    step.warn(problem('parent_without_value', { relation: `^${entity.name}`, rows: lost, field: 'its id' }))
  const [only] = bound
  if (only && source.rows.length === 1) {
    return toTable(
      await readRows(run, reading(only.values)),
      reading(only.values).invocation,
      digest,
      step.warn,
    )
  }
  let partial: Partial | undefined = source.partial === 'more_pages' ? 'budget' : source.partial
  const notes: Problem[] = []
  const gathered = await gather(
    bound,
    ({ values }) => Object.fromEntries(values),
    async ({ values }) => {
      const read = await readRows(run, reading(values))
      const [first] = read.problems
      if (read.failed && first)
        return {
          ok: false as const,
          problem: first,
          why: first.code === 'budget_exhausted' ? 'budget' : 'failed',
        }
      partial = worse(partial, read.partial)
      notes.push(...read.problems)
      return { ok: true as const, value: read.rows }
    },
    `\`^${entity.name}\``,
  )
  const rows = attributed(
    bound.map(({ parent }) => parent),
    gathered.results,
  )
  const whole = worse(partial, gathered.partial)
  const problems = [
    ...gathered.problems,
    ...notes.filter((one, at) => notes.findIndex(({ code }) => code === one.code) === at),
  ]
  return reachedTable(
    { catalog, digest, entity },
    rows,
    { problems, allFailed: gathered.allFailed, ...(whole && { partial: whole }) },
    step,
  )
}

function refersTo(row: LiveRow, field: string, sources: readonly LiveRow[]): boolean {
  const value = rowValue(row, [field])
  if (value === undefined || value === null) return false
  return sources.some((source) => {
    const id = identityValue(source)
    return id !== undefined && sameValue(value, id)
  })
}
