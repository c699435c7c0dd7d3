import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Json } from '../../base/canonical.ts'
import type { PinnedCatalog } from '../../catalog/digest.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { resume } from '../read/continuation.ts'
import { MORE_PAGES, throughout } from '../completeness.ts'
import type { Continuation, KeptRows } from '../outcome.ts'
import { join } from '../read/joined.ts'
import { child, isList, recordOf } from '../../base/json.ts'
import type { Pace } from '../../base/slices/pace.ts'
import { type LiveRow, rowValue } from '../row.ts'
import { problem } from '../problems.ts'
import { readRows } from '../source.ts'
import type { Run, NodeRun, NodeResult } from '../run.ts'
import type { Given } from '../table.ts'
import { toTable } from './table.ts'

/** The next page of a read that an earlier run left open. */
export async function runPage(
  { handle, limit }: Extract<Operation, { kind: 'page' }>,
  step: NodeRun,
): Promise<NodeResult> {
  const page = await step.run.world.page(handle)
  if (!page) return failed([problem('page_unknown', { handle })])
  return 'place' in page ? ok(keptTable(page, limit)) : goOn(page, step.run, step.warn, limit)
}

/** Rows of an earlier answer; behind the last of them the read goes on that they came from. */
function keptTable(
  { place, rows, columns, entity, partial, continuation }: KeptRows,
  limit = Infinity,
): Given {
  const isCut = rows.length > limit
  const missing = partial ? throughout({ reason: partial, where: 'end' }) : isCut ? MORE_PAGES : null
  return {
    ...(entity && { entity }),
    columns,
    rows: isCut ? rows.slice(0, limit) : rows,
    missing,
    ...(!isCut && continuation && { continuation }),
    kept: place,
  }
}

/** One more page of a continuation, projected as the read was. */
export async function goOn(
  continuation: Continuation,
  run: Run,
  warn: NodeRun['warn'],
  limit?: number,
): Promise<NodeResult> {
  const pinned = modelOf(continuation, run)
  const reading = pinned && resume(continuation, pinned)
  if (!reading) {
    return failed([
      problem('continuation_stale', {
        catalog: continuation.entity.catalog,
        capability: continuation.capability,
        called: continuation.entity.entity,
      }),
    ])
  }
  const paged = limit === undefined ? reading : { ...reading, pageSize: limit, wanted: limit }
  const read = toTable(await readRows(run, paged), paged.invocation, warn)
  return projected(read, continuation, run, warn)
}

/** The columns that a continuation is projected to; absent for whole rows. */
export function columnsOf({ state }: Continuation): readonly ProjectedColumn[] | undefined {
  const columns = child(state, 'columns')
  if (!isList(columns)) return undefined
  return columns.flatMap((column) => {
    const [name, path, value] = [child(column, 'name'), child(column, 'path'), child(column, 'value')]
    return typeof name === 'string' && isList(path)
      ? [
          {
            name,
            path: path.filter((part) => typeof part === 'string'),
            ...(value !== undefined && { value }),
          },
        ]
      : []
  })
}

type Column = Extract<Operation, { kind: 'project' }>['columns'][number]

interface ProjectedColumn extends Column {
  /** Of the row around, which the rows of a later page no longer have. */
  readonly value?: Json
}

/** A handle may outlive what its session holds of the catalog. */
function modelOf({ entity }: Continuation, { world }: Run): PinnedCatalog | undefined {
  try {
    return { catalog: world.model(entity.digest), digest: entity.digest }
  } catch {
    return undefined
  }
}

/** The continuation of projected rows: its pages are projected in the same way. Only rows of one row around have one. */
function projecting(
  continuation: Continuation,
  columns: readonly ProjectedColumn[],
  [first]: readonly LiveRow[],
): Continuation {
  const state = recordOf(Object.entries(continuation.state ?? {}))
  const kept = columns.map((column) => {
    const { name, path } = column
    const value = path[0] === '_' && first ? valueIn(first, column) : undefined
    return { name, path: [...path], ...(value !== undefined && { value }) }
  })
  return { ...continuation, state: { ...state, columns: kept } }
}

function valueIn(row: LiveRow, { path, value }: ProjectedColumn): Json | undefined {
  return value === undefined ? rowValue(row, path) : value
}

async function projected(
  read: Result<Given>,
  continuation: Continuation,
  run: Run,
  warn: NodeRun['warn'],
): Promise<NodeResult> {
  const columns = columnsOf(continuation)
  if (!read.ok || !columns) return read
  const paths = columns.map(({ path }) => path)
  return ok(await project(await join(run, read.value, paths, warn), columns, run.world.pace))
}

/** Chosen columns in their order. */
export async function project(table: Given, columns: readonly ProjectedColumn[], pace: Pace): Promise<Given> {
  const rows = await pace.map(table.rows, (row) => {
    const values = columns.flatMap((column) => {
      const value = valueIn(row, column)
      return value === undefined ? [] : [[column.name, value] as const]
    })
    return { ...row, values: recordOf(values) }
  })
  const { continuation, kept: _kept, ...rest } = table
  return {
    ...rest,
    columns: columns.map(({ name }) => name),
    rows,
    ...(continuation && { continuation: projecting(continuation, columns, table.rows) }),
  }
}
