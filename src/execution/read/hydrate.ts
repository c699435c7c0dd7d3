import type { Problem } from '../../base/diagnostic.ts'
import { isRecord } from '../../base/json.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { PinnedCatalog } from '../../catalog/digest.ts'
import type { Capability, Catalog, Entity } from '../../catalog/model.ts'
import { throughout, type Missing, stoppedBy, worst } from '../completeness.ts'
import { type CallContext, getRow, type Got } from '../source.ts'
import { problem } from '../problems.ts'
import type { LiveRow } from '../row.ts'
import { isStopped } from './gather.ts'

/** Rows that a thin read gave, and the fields that the program needs. */
export interface Thin {
  readonly pinned: PinnedCatalog
  readonly entity: Entity
  readonly rows: readonly LiveRow[]
  readonly fields: readonly string[]
  /** The fields that the read promises to fill: an absent one has no value, and no further call would find it. */
  readonly provided?: readonly string[]
}

/** Rows with what could be added to them. */
export interface Hydrated {
  readonly rows: readonly LiveRow[]
  readonly problems: readonly Problem[]
  readonly missing: Missing | null
}

/**
 * Fetches the wanted fields that a read does not give, one get a row, by reads alone. Where it fails the fields stay
 * empty: one problem for all of the rows.
 */
export async function hydrate(context: CallContext, thin: Thin): Promise<Hydrated> {
  const get = primaryGet(thin.pinned.catalog, thin.entity)
  const missing = get ? missingFields(thin) : []
  if (!get || missing.length === 0) return { rows: thin.rows, problems: [], missing: null }
  const lacking = thin.rows.flatMap((row) =>
    row.identity && !missing.every((field) => holds(row, field)) ? [{ row, identity: row.identity }] : [],
  )
  const read = ({ identity }: (typeof lacking)[number]): Promise<Got> =>
    getRow(context, { pinned: thin.pinned, capability: get, identity, arguments: new Map() })
  const all = await context.world.pace.all(lacking, read, isStopped)
  const found = new Map(lacking.map(({ row }, index) => [row, all[index]] as const))
  const rows = thin.rows.map((row) => {
    const got = found.get(row)
    return got?.ok ? merged(row, got.row) : row
  })
  const failures = all.flatMap((got) => (got.ok ? [] : [got]))
  const notes = all.flatMap((got) => (got.ok ? (got.problems ?? []) : []))
  const inner = all.map((got) => (got.ok ? got.missing : null))
  const [first] = failures
  if (!first) return { rows, problems: notes, missing: worst(...inner) }
  const params = {
    entity: thin.entity.name,
    rows: failures.length,
    fields: missing,
    reason: first.problem.message,
  }
  const failure = problem('hydration_failed', params)
  return {
    rows,
    problems: [...notes, failure],
    missing: worst(throughout(stoppedBy(failure, failures.find(isStopped)?.why)), ...inner),
  }
}

/** The get that rows are completed by: the entity's first that is a read and runs. */
export function primaryGet(catalog: Catalog, entity: Entity): Capability | undefined {
  const gets = indexOf(catalog)
    .capabilitiesOf(entity.name)
    .filter(
      ({ kind, effect, call, unsupported }) =>
        kind === 'get' && effect === 'read' && call !== null && unsupported.length === 0,
    )
  return gets.find(({ name }) => name === entity.primaryRead) ?? gets[0]
}

/**
 * A field is fetched where the read does not promise it. A read that promises everything by saying nothing is believed
 * as soon as one of its rows holds the field: APIs leave out what is empty.
 */
function missingFields({ entity, rows, fields, provided }: Thin): readonly string[] {
  const declared = new Set(entity.fields.map(({ name }) => name))
  const inside = new Set(
    entity.relations.filter(({ via }) => via.kind === 'embedded').map(({ name }) => name),
  )
  return [...new Set(fields)].filter((field) => {
    const isPromised = !provided || inside.has(field)
    if (rows.length === 0 || !(declared.has(field) || inside.has(field))) return false
    if (isPromised) return rows.every((row) => !holds(row, field))
    return !provided.includes(field) && rows.some((row) => !holds(row, field))
  })
}

/** Whether the row has the field, or its answer the row of the relation. */
function holds(row: LiveRow, name: string): boolean {
  return Object.hasOwn(row.values, name) || (isRecord(row.raw) && Object.hasOwn(row.raw, name))
}

/** What was read first stays; the fuller answer adds to it. */
function merged(row: LiveRow, fuller: LiveRow): LiveRow {
  const values = { ...fuller.values, ...row.values }
  const { raw, children } = fuller
  return { ...row, values, ...(raw !== undefined && { raw }), ...(children && { children }) }
}
