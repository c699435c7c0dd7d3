import { child, scalarText } from '../../base/json.ts'
import { fieldsOf, indexOf } from '../../catalog/lookup.ts'
import type { Entity } from '../../catalog/model.ts'
import { usesOf } from '../../language/plan/needs.ts'
import type { EntityName } from '../../language/plan/plan.ts'
import { gather } from './gather.ts'
import { primaryGet } from './hydrate.ts'
import { type LiveRow, rowValue } from '../row.ts'
import { referredRow } from './referred.ts'
import { throughout, worst } from '../completeness.ts'
import type { NodeRun } from '../run.ts'
import type { CallContext } from '../source.ts'
import type { Given } from '../table.ts'

type Path = readonly string[]

/** Rows that others can be joined to. */
type Joinable = Pick<Given, 'entity' | 'rows' | 'missing'>

/**
 * A step whose inputs hold what its paths lead to across references: for `author.name` the author is got, each one once.
 * What cannot be got stays empty and is reported once.
 */
export async function withJoined(step: NodeRun): Promise<NodeRun> {
  const paths = new Map<string, Path[]>()
  usesOf(step.node.operation, (id, path = []) => {
    if (path.length > 1) paths.set(id, [...(paths.get(id) ?? []), path])
  })
  if (paths.size === 0) return step
  const tables = new Map(step.run.tables)
  for (const [id, wanted] of paths) {
    const table = tables.get(id)
    if (table) tables.set(id, await join(step.run, table, wanted, step.warn))
  }
  return { ...step, run: { ...step.run, tables } }
}

/** The rows with the rows that their references name, as far as these paths lead into them. */
export async function join<Rows extends Joinable>(
  context: CallContext,
  table: Rows,
  paths: readonly Path[],
  warn: NodeRun['warn'],
): Promise<Rows> {
  if (!table.entity) return table
  const { digest } = table.entity
  const entity = indexOf(context.world.model(digest)).entities.get(table.entity.entity)
  const fields = new Set(paths.flatMap(([first, second]) => (second === undefined ? [] : [first])))
  let joined: Rows = table
  for (const field of fields) {
    const rests = paths.flatMap(([first, ...rest]) => (first === field && rest.length > 0 ? [rest] : []))
    if (entity && field !== undefined)
      joined = await joinField(context, joined, { from: entity, field, rests }, warn)
  }
  return joined
}

interface FilteredRows {
  readonly entity: EntityName
  readonly rows: readonly LiveRow[]
  readonly filters: readonly { readonly path: Path }[]
}

/** The same for the rows of an entity, and what conditions on them lead to. */
export function joinFilters(
  context: CallContext,
  { entity, rows, filters }: FilteredRows,
  warn: NodeRun['warn'],
): Promise<Joinable> {
  const paths = filters.map(({ path }) => path)
  return join(context, { entity, rows, missing: null }, paths, warn)
}

/** The id that the answer holds in the place of a row of the relation. */
function embeddedId({ raw }: LiveRow, relation: string): string | undefined {
  const held = child(raw, relation)
  return held === undefined || held === null ? undefined : scalarText(held)
}

interface Crossing {
  readonly from: Entity
  readonly field: string
  /** What is wanted of the rows that the field names. */
  readonly rests: readonly Path[]
}

async function joinField<Rows extends Joinable>(
  context: CallContext,
  table: Rows,
  { from, field, rests }: Crossing,
  warn: NodeRun['warn'],
): Promise<Rows> {
  const type = fieldsOf(from).get(field)?.type
  const relation = from.relations.find(
    ({ name, many, via }) => name === field && !many && via.kind === 'embedded',
  )
  const name = type?.kind === 'reference' ? type.entity : relation?.target
  if (!table.entity) return table
  const { digest } = table.entity
  const catalog = context.world.model(digest)
  const entity = name === undefined ? undefined : indexOf(catalog).entities.get(name)
  if (!entity) return table
  const lacks = (row: LiveRow) => rests.some((rest) => rowValue(row, [field, ...rest]) === undefined)
  const wanted = table.rows.flatMap((row) => {
    const target = rowValue(row, [field]) ?? (relation && embeddedId(row, field))
    return target === undefined || target === null || !lacks(row) ? [] : [{ row, target }]
  })
  if (wanted.length === 0) return table
  const to = { pinned: { catalog, digest }, entity, get: primaryGet(catalog, entity) }
  const needs = rests.flatMap(([first]) => first ?? [])
  const gathered = await gather(wanted, {
    keyOf: ({ target: named }) => named,
    read: ({ target: named }) => referredRow(context, to, named, { field, needs }),
    what: `\`${field}\``,
    pace: context.world.pace,
  })
  for (const found of gathered.problems) warn(found)
  const rows = new Map(
    wanted.flatMap(({ row }, index) => {
      const result = gathered.results[index]
      return result ? [[row, result] as const] : []
    }),
  )
  // Distinct rows once: what they refer to may be wanted as well.
  const distinct = [...new Set(rows.values())]
  const target = { catalog: catalog.id, digest, entity: entity.name }
  const inner = await join(context, { entity: target, rows: distinct, missing: null }, rests, warn)
  const whole = new Map(distinct.map((row, index) => [row, inner.rows[index] ?? row]))
  return {
    ...table,
    rows: table.rows.map((row) => {
      const result = rows.get(row)
      const reached = result && whole.get(result)
      return reached ? { ...row, joined: new Map([...(row.joined ?? []), [field, reached]]) } : row
    }),
    missing: worst(table.missing, throughout(worst(gathered.missing, inner.missing))),
  }
}
