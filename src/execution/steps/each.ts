import { failed, ok, type Problem } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { gather } from '../read/gather.ts'
import { problem } from '../problems.ts'
import type { Step, Stepped, Table } from '../run.ts'
import type { LiveRow } from '../row.ts'
import { attributed } from './children.ts'
import { worse } from '../outcome.ts'
import { noteUnsent, readyCall, sendReady } from './call.ts'
import { columnNames, runData } from './data.ts'
import { runGet } from './get.ts'
import { catalogOf, sourceOf } from './node.ts'
import { runQuery } from './query.ts'

type Each = Extract<Operation, { kind: 'each' }>
type Call = Extract<Operation, { kind: 'call' }>

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

/**
 * Makes every call ready before the first one leaves; then one after another, up to the first that fails: or on to the end,
 * where the operator lets what the API refuses of one row not stand in the way of the others. What was done, what failed and
 * what was not sent is told row by row.
 */
async function effects(body: Call, rows: readonly LiveRow[], step: Step): Promise<Stepped> {
  const indexes = [...rows.keys()]
  const ready = rows.map((row) => readyCall(body, step, row))
  const unready = ready.findIndex((one) => !one.ok)
  const wrong = ready[unready]
  const over =
    wrong || step.node.effect === 'read'
      ? undefined
      : step.run.meter.effectsBeyond(rows.length, step.run.nameOf(step.node.id))
  const found = wrong && !wrong.ok ? wrong.problems : over && [over]
  if (found) {
    noteUnsent(body, step, indexes, found[0])
    return failed(wrong ? [...found, stoppedAt(step, unready, rows.length, found[0], rows.length)] : found)
  }
  const continues = step.run.world.continueOnRefusal?.(catalogOf(step.run, step.node).catalog.id) === true
  const tables: (Table | undefined)[] = []
  let first: { readonly index: number; readonly problems: readonly Problem[] } | undefined
  let undone = 0
  for (const [index, one] of ready.entries()) {
    const sent = one.ok ? await sendReady(one.value, step, index) : { ...one, refused: false }
    tables.push(sent.ok ? sent.value : undefined)
    if (sent.ok) continue
    first ??= { index, problems: sent.problems }
    undone++
    if (continues && sent.refused) continue
    noteUnsent(body, step, indexes.slice(index + 1))
    undone = rows.length - index + tables.slice(0, index).filter((table) => !table).length
    break
  }
  if (!first) return ok(joined(rows, tables, undefined))
  const { index, problems } = first
  const told = stoppedAt(step, index, rows.length, problems[0], undone)
  return {
    ok: false,
    problems: rows.length === 1 ? problems : [...problems, told],
    table: joined(rows, tables, 'failed'),
  }
}

function stoppedAt(
  step: Step,
  row: number,
  all: number,
  found: Problem | undefined,
  undone: number,
): Problem {
  const reason = `row ${row}: ${found?.message ?? 'it failed'}`
  return problem('rows_failed', { what: `\`${step.run.nameOf(step.node.id)}\``, failed: undone, all, reason })
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
