import type { Json } from '../../../base/canonical.ts'
import { failed, ok } from '../../../base/diagnostic.ts'
import type { Operation } from '../../../language/plan/plan.ts'
import { isRecord, ownValue, recordOf } from '../../../base/json.ts'
import { jsonSlices } from '../../../base/slices/json-slices.ts'
import { problem } from '../../problems.ts'
import type { NodeRun, NodeResult } from '../../run.ts'
import type { LiveRow } from '../../row.ts'
import { sourceOf } from '../node.ts'
import { MAX_OUTPUT, regroups, tooBig } from './template.ts'

const MAX_ROWS = 10_000
const MAX_CONTEXT = 2 * 1024 * 1024

/** A template over the rows: one row with `content`. The template itself was looked at before anything ran. */
export async function runRender(
  operation: Extract<Operation, { kind: 'render' }>,
  step: NodeRun,
): Promise<NodeResult> {
  const { rows } = sourceOf(step, operation.source)
  const { template, columns } = operation
  const { pace } = step.run.world
  const many = tooBig('Rows of a template', rows.length, MAX_ROWS)
  if (many) return failed([many])
  const context = await pace.map(rows, (row) => contextRow(row, columns))
  let [total, widest] = [0, 1]
  for (const row of context) {
    const size = await pace.length(jsonSlices(row), MAX_CONTEXT - total)
    total += size
    widest = Math.max(widest, size)
    const large = tooBig('Characters in the rows of a template', total, MAX_CONTEXT)
    if (large) return failed([large])
  }
  const largest = regroups(template) ? total : widest
  const rendered = await step.run.world.render({ template, rows: context, fuel: fuelFor(largest) })
  if ('reason' in rendered) return failed([problem('template_failed', rendered)])
  const long = tooBig('Characters that the template gives', rendered.text.length, MAX_OUTPUT)
  if (long) return failed([long])
  return ok({
    columns: ['content'],
    rows: [{ values: { content: rendered.text } }],
    missing: null,
  })
}

/** Each step can write its largest value at most: so many that they fill half a gigabyte, or a thousand. */
function fuelFor(largest: number): number {
  return Math.min(1_000_000, Math.max(1000, Math.floor(2 ** 29 / largest)))
}

/** A row as the template sees it: every column, absent ones as null; `author.login` also as `author` with `login`. */
function contextRow(row: LiveRow, columns: readonly string[]): Json {
  const names = columns.length > 0 ? columns : Object.keys(row.values)
  const context = new Map<string, Json>()
  for (const name of names) {
    const value = ownValue(row.values, name) ?? null
    const [first = name, ...rest] = name.split('.')
    context.set(name, value)
    if (rest.length > 0) context.set(first, nested(context.get(first), rest, value))
  }
  return recordOf(context)
}

function nested(held: Json | undefined, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return value
  const inner = isRecord(held) ? held : {}
  return recordOf([...Object.entries(inner), [key, nested(ownValue(inner, key), rest, value)]])
}
