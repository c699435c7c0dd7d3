import { canonicalJson } from '../../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { recordOf } from '../../base/json.ts'
import { gather } from '../read/gather.ts'
import { problem } from '../problems.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import type { Given } from '../table.ts'
import type { LiveRow } from '../row.ts'
import { attributed } from './children.ts'
import { type Missing, stoppedBy } from '../completeness.ts'
import type { EffectOutcome, Unsent } from '../outcome.ts'
import { noteUnsent, type Ready, readyCall, sendReady } from './call.ts'
import { columnNames, runData } from './data.ts'
import { runGet } from './get.ts'
import { catalogOf, sourceOf } from './node.ts'
import { runQuery } from './query.ts'

type Each = Extract<Operation, { kind: 'each' }>
type Call = Extract<Operation, { kind: 'call' }>

/** The body once for each row, `_` being the row: reads at once, effects one after another; results in row order. */
export async function runEach(operation: Each, step: NodeRun): Promise<NodeResult> {
  const source = sourceOf(step, operation.source)
  const { body } = operation
  if (body.kind === 'call') return calls(body, source.rows, step)
  const read = await reads(body, source.rows, step)
  return read.ok && operation.distinct ? ok({ ...read.value, rows: distinct(read.value.rows) }) : read
}

/** The rows without repeats of an identity. */
function distinct(rows: readonly LiveRow[]): readonly LiveRow[] {
  const seen = new Set<string>()
  return rows.filter(({ identity }) => {
    if (!identity) return true
    const key = canonicalJson(identity)
    return !seen.has(key) && seen.add(key)
  })
}

async function reads(
  body: Exclude<Each['body'], { kind: 'call' }>,
  rows: readonly LiveRow[],
  step: NodeRun,
): Promise<NodeResult> {
  const each = rows.map((row, index) => ({ row, index }))
  const gathered = await gather(each, {
    keyOf: ({ index }) => index,
    read: async ({ row }) => {
      const one = await (body.kind === 'get'
        ? runGet(body, step, row)
        : body.kind === 'query'
          ? runQuery(body, step, row)
          : runData(body.value, step, row))
      if (one.ok) return { ok: true as const, value: one.value, missing: one.value.missing }
      const [first] = one.problems
      if (!first) throw new Error('a failure states a problem')
      return { ok: false as const, problem: first, ...(one.why && { why: one.why }) }
    },
    what: step.run.nameOf(step.node.id),
    pace: step.run.world.pace,
  })
  if (gathered.allFailed) return failed(gathered.problems)
  for (const found of gathered.problems) step.warn(found)
  return ok(joined(rows, gathered.results, gathered.missing))
}

/**
 * Makes every call ready before the first one leaves; then one after another, up to the first that fails: or on to the end,
 * where the operator lets what the API refuses of one row not stand in the way of the others. What was done, what failed and
 * what was not sent is reported row by row.
 */
async function calls(body: Call, rows: readonly LiveRow[], step: NodeRun): Promise<NodeResult> {
  const ready = rows.map((row) => readyCall(body, step, row))
  const refused = whyNone(ready, rows.length, step)
  if (refused) {
    noteUnsent(body, step, [...rows.keys()], refused[0])
    return failed(refused)
  }
  if (step.node.effect !== 'read') await begin(ready, step)
  const continues = step.run.world.continueOnRefusal?.(catalogOf(step.run, step.node).catalog.id) === true
  const states = new Map<number, EffectOutcome['state']>()
  const watched: NodeRun = {
    ...step,
    effect: (outcome) => {
      states.set(outcome.row, outcome.state)
      step.effect(outcome)
    },
  }
  const tables: (Given | undefined)[] = []
  let first: { readonly row: number; readonly problems: readonly Problem[] } | undefined
  for (const [row, one] of ready.entries()) {
    if (!one.ok) throw new Error(`row ${row} was not made ready`)
    const sent = await sendReady(one.value, watched, row)
    tables.push(sent.ok ? sent.value : undefined)
    if (sent.ok) continue
    first ??= { row, problems: sent.problems }
    if (continues && sent.refused) continue
    noteUnsent(body, watched, [...rows.keys()].slice(row + 1))
    break
  }
  if (!first) return ok(joined(rows, tables, null))
  const { problems } = first
  const found =
    rows.length === 1
      ? problems
      : [
          ...problems,
          stoppedAt(step, { ...first, all: rows.length, states, done: tables.filter(Boolean).length }),
        ]
  noteRest(ready, states, step)
  const [because] = found.slice(-1)
  return { ok: false, problems: found, table: joined(rows, tables, because ? stoppedBy(because) : null) }
}

/** What forbids a loop before its first call leaves: a row that cannot be sent as it is, or more effects than are left. */
function whyNone(
  ready: readonly Result<Ready>[],
  all: number,
  step: NodeRun,
): readonly Problem[] | undefined {
  const what = step.run.nameOf(step.node.id)
  for (const [row, one] of ready.entries()) {
    if (one.ok) continue
    const [reason] = one.problems
    return [
      ...one.problems,
      problem('loop_not_begun', { what, row: row + 1, all, reason: reason?.message ?? '' }),
    ]
  }
  const over = step.node.effect === 'read' ? undefined : step.run.meter.effectsBeyond(all, what)
  return over && [over]
}

interface Stop {
  /** From 0. */
  readonly row: number
  readonly problems: readonly Problem[]
  readonly all: number
  readonly states: ReadonlyMap<number, EffectOutcome['state']>
  /** Calls that succeeded, those that change nothing included. */
  readonly done: number
}

function stoppedAt(step: NodeRun, { row, problems, all, states, done }: Stop): Problem {
  const what = step.run.nameOf(step.node.id)
  const reason = problems[0]?.message ?? ''
  if (step.node.effect === 'read')
    return problem('rows_failed', { what, failed: all - done, all, reason: `row ${row + 1}: ${reason}` })
  const count = (state: EffectOutcome['state']) => [...states.values()].filter((one) => one === state).length
  return problem('loop_stopped', {
    what,
    row: row + 1,
    all,
    reason,
    done: count('done'),
    failed: count('failed'),
    unknown: count('unknown'),
    unsent: count('not_sent'),
  })
}

/** Has the ledger note the whole loop, so that an account of it can be given although the process ends. */
async function begin(ready: readonly Result<Ready>[], step: NodeRun): Promise<void> {
  // Where it cannot be noted, the account names fewer rows; that no call is sent twice does not depend on it.
  await step.run.world.ledger.begin({ node: step.node.id, rows: filledRows(ready) }).catch(() => undefined)
}

/** Hands on what was ready and was not sent, once some of the loop was: to be sent without what was. */
function noteRest(
  ready: readonly Result<Ready>[],
  states: ReadonlyMap<number, EffectOutcome['state']>,
  step: NodeRun,
): void {
  if ([...states.values()].every((state) => state === 'not_sent')) return
  const rows = filledRows(ready).filter(({ row }) => states.get(row) === 'not_sent')
  if (rows.length > 0) step.unsent({ node: step.node.id, rows })
}

/** What each call of the loop is filled with. */
function filledRows(ready: readonly Result<Ready>[]): Unsent['rows'] {
  return ready.flatMap((one, row) => {
    if (!one.ok) return []
    const { identity, arguments: given } = one.value.invocation
    return [{ row, arguments: recordOf(given), ...(identity && { identity }) }]
  })
}

function joined(
  parents: readonly LiveRow[],
  tables: readonly (Given | undefined)[],
  missing: Missing | null,
): Given {
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
    missing,
  }
}
