import { canonicalJson, type Json } from '../../base/canonical.ts'
import { ok } from '../../base/diagnostic.ts'
import type { AggregateColumn, Operation } from '../../language/plan/plan.ts'
import { bigInteger, compareValues, isNothing, isNumeric, orderType } from '../read/compare.ts'
import { recordOf } from '../../base/json.ts'
import type { Pace } from '../../base/slices/pace.ts'
import { type LiveRow, rowValue } from '../row.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import { sourceOf } from './node.ts'

/** One row over all rows, or one for each combination of the values of fields, ordered by them. */
export async function runAggregate(
  { source: name, by, columns }: Extract<Operation, { kind: 'aggregate' }>,
  step: NodeRun,
): Promise<NodeResult> {
  const { rows } = sourceOf(step, name)
  const { pace } = step.run.world
  const totals = (group: readonly LiveRow[]) =>
    columns.map((column) => [column.name, total(column, group)] as const)
  const result = by
    ? await pace.map(await grouped(rows, by, pace), ([key, group]) => ({
        values: recordOf([
          ...by.map((field, at) => [field.name, key[at] ?? null] as const),
          ...totals(group),
        ]),
      }))
    : [{ values: recordOf(totals(rows)) }]
  return ok({
    columns: [...(by ?? []).map((key) => key.name), ...columns.map((column) => column.name)],
    rows: result,
    missing: null,
  })
}

async function grouped(
  rows: readonly LiveRow[],
  by: readonly { readonly path: readonly string[] }[],
  pace: Pace,
): Promise<readonly (readonly [key: readonly Json[], rows: readonly LiveRow[]])[]> {
  const groups = new Map<string, { readonly key: readonly Json[]; readonly rows: LiveRow[] }>()
  for (const row of rows) {
    if (pace.isDue) await pace.rest()
    const key = by.map(({ path }) => rowValue(row, path) ?? null)
    const text = canonicalJson(key)
    const group = groups.get(text)
    if (group) group.rows.push(row)
    else groups.set(text, { key, rows: [row] })
  }
  const entries = [...groups.values()].map((group) => [group.key, group.rows] as const)
  return pace.sorted(entries, ([a], [b]) => compareKeys(a, b))
}

/** By the first values that differ; null comes last. */
function compareKeys(a: readonly Json[], b: readonly Json[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at] ?? null
    const order =
      one === null || other === null
        ? Number(one === null) - Number(other === null)
        : compareValues(one, other)
    if (order !== 0) return order
  }
  return 0
}

/** Of values that are there: `count` without a field counts rows; of nothing, `sum` is 0 and `avg`, `min`, `max` are null. */
function total(column: AggregateColumn, rows: readonly LiveRow[]): Json {
  const { path } = column
  if (path === undefined) return rows.length
  const values = rows.flatMap((row) => {
    const value = rowValue(row, path)
    return isNothing(value) ? [] : [value]
  })
  const type = orderType(values, column.type)
  switch (column.function) {
    case 'count':
      return values.length
    case 'sum':
      return sum(values)
    case 'avg':
      return average(values)
    case 'min':
      return extreme(values, (value, best) => compareValues(value, best, type) < 0)
    case 'max':
      return extreme(values, (value, best) => compareValues(value, best, type) > 0)
  }
}

const DECIMAL = /^(-?\d{1,400})(?:\.(\d{1,40}))?$/

/** Exact for integers of any size (beyond 2^53 as digits in text) and for decimals. */
function sum(values: readonly Json[]): Json {
  const integers = values.flatMap((value) => bigInteger(value) ?? [])
  if (integers.length === values.length) {
    const exact = integers.reduce((held, value) => held + value, 0n)
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : String(exact)
  }
  return decimalSum(values.filter(isNumeric))
}

/** Digits in text where digits came as text and a number cannot hold their sum. Those with an exponent are added as numbers. */
function decimalSum(numbers: readonly (number | string)[]): Json {
  const parts = numbers.flatMap((value) => {
    const [, whole, fraction = ''] = DECIMAL.exec(String(value)) ?? []
    return whole === undefined ? [] : [{ whole, fraction }]
  })
  if (parts.length < numbers.length) return numbers.reduce((held: number, value) => held + Number(value), 0)
  const places = Math.max(0, ...new Set(parts.map(({ fraction }) => fraction.length)))
  const exact = parts.reduce(
    (held, { whole, fraction }) => held + BigInt(whole + fraction.padEnd(places, '0')),
    0n,
  )
  const text = decimalText(exact, places)
  const isHeld = String(Number(text)) === text || numbers.every((value) => typeof value === 'number')
  return isHeld ? Number(text) : text
}

/** An integer divided by so many powers of ten, without zeros at the end. */
function decimalText(scaled: bigint, places: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(places + 1, '0')
  const at = digits.length - places
  const fraction = digits.slice(at).replace(/0+$/, '')
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, at)}${fraction && `.${fraction}`}`
}

function average(values: readonly Json[]): Json {
  const numbers = values.filter(isNumeric)
  return numbers.length === 0 ? null : Number(sum(numbers)) / numbers.length
}

function extreme(values: readonly Json[], better: (value: Json, best: Json) => boolean): Json {
  return values.reduce<Json>((best, value) => (best === null || better(value, best) ? value : best), null)
}
