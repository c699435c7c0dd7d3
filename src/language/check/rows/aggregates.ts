import type { Type } from '../../../catalog/model.ts'
import { describeType } from '../../../catalog/values/value.ts'
import { problem } from '../../problems.ts'
import type { Name, Segment, Value } from '../../syntax/tree.ts'
import type { CheckedAggregate, CheckedNode, Column } from '../model/checked.ts'
import { nameAt, type Context } from '../model/context.ts'
import { columnOf, isNumeric, nameOfSpot, pathIn } from '../model/columns.ts'
import { spotAt, type Spot } from '../model/shape.ts'

type CallSegment = Extract<Segment, { kind: 'call' }>
type AggregateFunction = CheckedAggregate['function']

const FUNCTIONS: readonly AggregateFunction[] = ['count', 'sum', 'avg', 'min', 'max']

/** `.aggregate(n=count, total=sum(price))`, or the same for each value of a field. */
export function checkAggregates(
  context: Context,
  source: CheckedNode,
  segment: CallSegment,
  by: Spot | undefined,
): CheckedNode | undefined {
  const { positional, named } = segment.arguments
  const columns: (CheckedAggregate | undefined)[] = []
  for (const value of by ? positional.slice(1) : positional)
    columns.push(...unnamedColumns(context, source, value))
  for (const entry of named) columns.push(namedColumn(context, source, entry.name, entry.value))
  const known = columns.filter((column) => column !== undefined)
  if (known.length < columns.length) return undefined
  if (known.length === 0) {
    const form = by ? `.group_by(${nameOfSpot(by)}, n=count)` : '.aggregate(n=count)'
    context.report(
      problem('operator_arguments', { operator: segment.name.text, form }, { span: segment.arguments.span }),
    )
    return undefined
  }
  const twice = known.find(
    (column, index) =>
      column.name === by?.path.join('.') || known.findIndex((other) => other.name === column.name) < index,
  )
  if (twice) {
    context.report(problem('duplicate_argument', { name: twice.name }, { span: segment.arguments.span }))
    return undefined
  }
  const group = by && { name: nameOfSpot(by), path: by.path }
  const shape = by ? 'many' : 'one'
  const rows = {
    shape,
    single: !by,
    columns: [...(by ? [columnOf(by)] : []), ...known.map(resultColumn)],
    ...(group && { groupedBy: group.name }),
  } as const
  return { kind: 'aggregate', source, ...(group && { by: group }), columns: known, rows, span: segment.span }
}

/** `count` needs no name; every other aggregate does. `aggregate(count)` inside is read as its content. */
function unnamedColumns(
  context: Context,
  source: CheckedNode,
  value: Value,
): readonly (CheckedAggregate | undefined)[] {
  if (value.kind === 'bare' && value.text === 'count') return [{ name: 'count', function: 'count' }]
  if (value.kind === 'call' && value.name.text === 'aggregate') {
    return [
      ...value.arguments.positional.flatMap((inner) => unnamedColumns(context, source, inner)),
      ...value.arguments.named.map((entry) => namedColumn(context, source, entry.name, entry.value)),
    ]
  }
  const all = countsAll(value)
  if (all) {
    const fix = { edits: [{ span: value.span, text: 'n=count' }] }
    context.report(problem('unnamed_aggregate', { text: 'count', name: 'n' }, { span: value.span, fix }))
    return [undefined]
  }
  if (value.kind === 'call') {
    const [field] = value.arguments.positional
    const path = field && pathIn(field)
    const text = `${value.name.text}(${path?.names.map((name) => name.text).join('.') ?? ''})`
    const name = path ? `${value.name.text}_${path.names.at(-1)?.text ?? ''}` : 'n'
    const at = { start: value.span.start, end: value.span.start }
    context.report(
      problem(
        'unnamed_aggregate',
        { text, name },
        { span: value.span, fix: { edits: [{ span: at, text: `${name}=` }] } },
      ),
    )
    return [undefined]
  }
  const text = 'text' in value ? value.text : value.kind
  context.report(problem('unknown_function', { name: text }, nameAt(value.span, text, FUNCTIONS)))
  return [undefined]
}

/** `count(*)` and `count()` of other languages. */
function countsAll(value: Value): boolean {
  if (value.kind === 'bare') return /^count\(\s*\*?\s*\)$/.test(value.text)
  if (value.kind !== 'call' || value.name.text !== 'count' || value.arguments.named.length > 0) return false
  const [only] = value.arguments.positional
  return only === undefined || (only.kind === 'bare' && only.text === '*')
}

function namedColumn(
  context: Context,
  source: CheckedNode,
  name: Name,
  value: Value,
): CheckedAggregate | undefined {
  const [called, argument] =
    value.kind === 'call'
      ? [value.name, value.arguments.positional[0]]
      : [{ text: value.kind === 'bare' ? value.text : value.kind, span: value.span }, undefined]
  const wanted = FUNCTIONS.find((one) => one === called.text)
  if (countsAll(value) && wanted !== 'count') {
    const fix = { edits: [{ span: value.span, text: 'count' }] }
    context.report(problem('unknown_function', { name: called.text }, { span: value.span, fix }))
    return undefined
  }
  if (!wanted) {
    context.report(
      problem('unknown_function', { name: called.text }, nameAt(called.span, called.text, FUNCTIONS)),
    )
    return undefined
  }
  const path = argument && pathIn(argument)
  if (wanted === 'count') return { name: name.text, function: 'count' }
  if (!path) {
    context.report(problem('unknown_function', { name: called.text }, { span: value.span }))
    return undefined
  }
  const spot = spotAt(context, source.rows, path.names)
  if (!spot || !takes(context, wanted, spot, path.span)) return undefined
  return { name: name.text, function: wanted, path: spot.path, type: spot.type }
}

function takes(context: Context, wanted: AggregateFunction, spot: Spot, span: Name['span']): boolean {
  const ordered = isNumeric(spot.type) || ['date', 'string', 'select', 'uuid'].includes(spot.type.kind)
  if (isNumeric(spot.type) || (ordered && (wanted === 'min' || wanted === 'max'))) return true
  const operators = ordered ? ['min', 'max', 'count'] : ['count']
  const slot = `\`${nameOfSpot(spot)}\``
  context.report(
    problem('wrong_operator', { operator: wanted, slot, type: describeType(spot.type), operators }, { span }),
  )
  return false
}

function resultColumn(column: CheckedAggregate): Column {
  const type: Type =
    column.function === 'count'
      ? { kind: 'integer' }
      : column.function === 'avg'
        ? { kind: 'number' }
        : (column.type ?? { kind: 'json' })
  return { name: column.name, type, brands: [] }
}
