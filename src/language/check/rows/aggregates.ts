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

/** The fields to group by, and the arguments that name them. */
interface Grouping {
  readonly keys: readonly { readonly name: string; readonly spot: Spot }[]
  readonly isKey: (value: Value) => boolean
}

/** `.aggregate(n=count, total=sum(price))`, or the same for each combination of the values of fields. */
export function checkAggregates(
  context: Context,
  source: CheckedNode,
  segment: CallSegment,
  grouping?: Grouping,
): CheckedNode | undefined {
  const { positional, named } = segment.arguments
  const keys = grouping?.keys ?? []
  const isColumn = (value: Value) => grouping?.isKey(value) !== true
  const columns: (CheckedAggregate | undefined)[] = []
  for (const value of positional.filter(isColumn)) columns.push(...unnamedColumns(context, source, value))
  for (const { name, value } of named)
    if (isColumn(value)) columns.push(namedColumn(context, source, name, value))
  const known = columns.filter((column) => column !== undefined)
  if (known.length < columns.length) return undefined
  if (known.length === 0) {
    const form = grouping
      ? `.group_by(${keys.map(({ name }) => name).join(', ')}, n=count)`
      : '.aggregate(n=count)'
    const { span } = segment.arguments
    // Under the name that other languages give it, which later steps may use.
    const fix = { edits: [{ span: { start: span.end - 1, end: span.end }, text: ', count)' }] }
    const place = { span, ...(keys.length > 0 && { fix }) }
    context.report(problem('operator_arguments', { operator: segment.name.text, form }, place))
    return undefined
  }
  const names = [...keys, ...known].map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) {
    context.report(problem('duplicate_argument', { name: twice }, { span: segment.arguments.span }))
    return undefined
  }
  const [only, more] = keys
  const rows = {
    shape: grouping ? 'many' : 'one',
    single: !grouping,
    columns: [...keys.map(({ name, spot }) => ({ ...columnOf(spot), name })), ...known.map(resultColumn)],
    ...(only && !more && { groupedBy: only.name }),
  } as const
  const by = keys.map(({ name, spot }) => ({ name, path: spot.path }))
  return { kind: 'aggregate', source, ...(grouping && { by }), columns: known, rows, span: segment.span }
}

/** Whether the argument is an aggregate, so that it names no field to group by. */
export function isAggregate(value: Value): boolean {
  return value.kind === 'call' || (value.kind === 'bare' && (value.text === 'count' || countsAll(value)))
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
  context.report(() => problem('unknown_function', { name: text }, nameAt(value.span, text, FUNCTIONS)))
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
    context.report(() =>
      problem('unknown_function', { name: called.text }, nameAt(called.span, called.text, FUNCTIONS)),
    )
    return undefined
  }
  const path = argument && pathIn(argument)
  if (wanted === 'count') {
    if (value.kind === 'call' && refusesCount(context, source, name, value)) return undefined
    return { name: name.text, function: 'count' }
  }
  if (!path) {
    context.report(problem('unknown_function', { name: called.text }, { span: value.span }))
    return undefined
  }
  const spot = spotAt(context, source.rows, path.names)
  if (!spot || refusesFunction(context, wanted, spot, path.span)) return undefined
  return { name: name.text, function: wanted, path: spot.path, type: spot.type }
}

/** Reports arguments of `count`, other than all (`*`) or a field of the rows. Conditions belong before the step. */
function refusesCount(
  context: Context,
  source: CheckedNode,
  name: Name,
  value: Extract<Value, { kind: 'call' }>,
): boolean {
  const { positional, named, span } = value.arguments
  const [only, more] = positional
  if (countsAll(value)) return false
  const path = only && !more && named.length === 0 ? pathIn(only) : undefined
  if (path) return spotAt(context, source.rows, path.names) === undefined
  const conditions = named.length === 0 ? '…' : named.map((entry) => `${entry.name.text}=…`).join(', ')
  const form = `\`rows{${conditions}}.aggregate(${name.text}=count)\`: conditions stand before the step`
  context.report(problem('operator_arguments', { operator: 'count', form }, { span }))
  return true
}

/** Reports a function that the type does not support: `sum` of a text. */
function refusesFunction(
  context: Context,
  wanted: AggregateFunction,
  spot: Spot,
  span: Name['span'],
): boolean {
  const ordered = isNumeric(spot.type) || ['date', 'string', 'select', 'uuid'].includes(spot.type.kind)
  if (isNumeric(spot.type) || (ordered && (wanted === 'min' || wanted === 'max'))) return false
  const operators = ordered ? ['min', 'max', 'count'] : ['count']
  const slot = `\`${nameOfSpot(spot)}\``
  context.report(
    problem('wrong_operator', { operator: wanted, slot, type: describeType(spot.type), operators }, { span }),
  )
  return true
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
