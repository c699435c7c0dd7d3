import { failed, ok } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { gather } from '../fetch.ts'
import { problem } from '../problems.ts'
import type { LiveRow, Step, Stepped, Table } from '../run.ts'
import { attributed, worse } from './children.ts'
import { runCall } from './call.ts'
import { columnNames, runData } from './data.ts'
import { runGet } from './get.ts'
import { sourceOf } from './project.ts'
import { capabilityOf, catalogOf, runQuery } from './query.ts'

type Each = Extract<Operation, { kind: 'each' }>

/** The body once for each row, `_` being the row: reads at once, effects one after another; results in row order. */
export async function runEach(operation: Each, step: Step): Promise<Stepped> {
  const source = sourceOf(step, operation.source)
  const { body } = operation
  const done =
    body.kind === 'call' ? await effects(body, source.rows, step) : await reads(body, source.rows, step)
  const partial = worse(
    done.ok ? done.value.partial : undefined,
    source.partial === 'more_pages' ? 'budget' : source.partial,
  )
  return done.ok && partial ? ok({ ...done.value, partial }) : done
}

async function reads(
  body: Exclude<Each['body'], { kind: 'call' }>,
  rows: readonly LiveRow[],
  step: Step,
): Promise<Stepped> {
  const gathered = await gather(
    rows.map((row, index) => ({ row, index })),
    ({ index }) => index,
    async ({ row }) => {
      const one = await (body.kind === 'get'
        ? runGet(body, step, row)
        : body.kind === 'query'
          ? runQuery(body, step, row)
          : runData(body.value, step, row))
      if (one.ok) return { ok: true as const, value: one.value }
      const [first] = one.problems
      if (!first) throw new Error('a failure states a problem')
      return {
        ok: false as const,
        problem: first,
        ...(first.code === 'budget_exhausted' && { why: 'budget' as const }),
      }
    },
    step.run.nameOf(step.node.id),
  )
  if (gathered.allFailed) return failed(gathered.problems)
  for (const found of gathered.problems) step.warn(found)
  const inner = gathered.results.reduce<Table['partial']>(
    (held, table) => worse(held, table?.partial),
    gathered.partial,
  )
  return ok(joined(rows, gathered.results, inner))
}

/** Stops at the first row that fails: its effect and those that were not sent are told, as well as those that were. */
async function effects(
  body: Extract<Each['body'], { kind: 'call' }>,
  rows: readonly LiveRow[],
  step: Step,
): Promise<Stepped> {
  const tables: (Table | undefined)[] = []
  for (const [index, row] of rows.entries()) {
    const one = await runCall(body, step, row, index)
    if (one.ok) {
      tables.push(one.value)
      continue
    }
    notSent(body.capability, rows.length, index + 1, step)
    const [first] = one.problems
    const told = problem('rows_failed', {
      what: step.run.nameOf(step.node.id),
      failed: rows.length - index,
      all: rows.length,
      reason: `row ${index}: ${first?.message ?? 'it failed'}`,
    })
    return {
      ok: false,
      problems: rows.length === 1 ? one.problems : [...one.problems, told],
      table: joined(rows, tables, 'failed'),
    }
  }
  return ok(joined(rows, tables, undefined))
}

function notSent(name: string, count: number, from: number, step: Step): void {
  const { catalog } = catalogOf(step.run, step.node)
  const capability = capabilityOf(catalog, name)
  if (capability.effect === 'read') return
  for (let row = from; row < count; row++) {
    step.effect({ node: step.node.id, row, capability: name, catalog: catalog.id, state: 'not_sent' })
  }
}

function joined(
  parents: readonly LiveRow[],
  tables: readonly (Table | undefined)[],
  partial: Table['partial'],
): Table {
  const entity = tables.find((table) => table?.entity)?.entity
  const rows = attributed(
    parents,
    tables.map((table) => table?.rows),
  )
  const columns = tables.flatMap((table) => table?.columns ?? [])
  return {
    ...(entity && { entity }),
    columns: columns.length === 0 ? columnNames(rows) : [...new Set(columns)],
    rows,
    ...(partial && { partial }),
  }
}
