import type { Fix } from '../../../base/diagnostic.ts'
import type { OperatorName } from '../../../base/operators.ts'
import { problem } from '../../problems.ts'
import type { Arguments, FieldPath, Name, Segment, Value } from '../../syntax/tree.ts'
import { checkAggregates, isAggregate } from './aggregates.ts'
import type { CheckedNode } from '../model/checked.ts'
import { columnOf, nameOfSpot, pathIn } from '../model/columns.ts'
import { nameAt, type Context } from '../model/context.ts'
import { sortFix } from './idioms.ts'
import { sized } from './page-size.ts'
import { spotAt, type Spot } from '../model/shape.ts'

type CallSegment = Extract<Segment, { kind: 'call' }>

interface Operator {
  readonly check: (context: Context, source: CheckedNode, segment: CallSegment) => CheckedNode | undefined
  /** Its syntax, for the problem of its arguments; by default `.name(…)`. */
  readonly form?: string
  readonly takesNothing?: true
}

const BY_NAME: Record<OperatorName, Operator> = {
  limit: { check: (context, source, segment) => limited(source, segment, count(context, segment)) },
  page_size: {
    check: (context, source, segment) => sized(context, source, segment, count(context, segment)),
  },
  singleton: { check: singleton, form: '.singleton()', takesNothing: true },
  sort: { check: sort, form: '.sort(field) or .sort(field, desc)' },
  aggregate: { check: (context, source, segment) => checkAggregates(context, source, segment) },
  group_by: {
    check: groupBy,
    form: '.group_by(field, other, n=count), with fields as the rows hold them: no function makes a key',
  },
}

/** The operators over any rows. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map(Object.entries(BY_NAME))

function limited(
  source: CheckedNode,
  { span }: CallSegment,
  most: number | undefined,
): CheckedNode | undefined {
  if (most === undefined) return undefined
  const single = source.rows.single || most === 1
  return { kind: 'limit', source, count: most, rows: { ...source.rows, single }, span }
}

/** The positive whole number that the operator takes. */
function count(context: Context, { name, arguments: args }: CallSegment): number | undefined {
  const [value, more] = args.positional
  if (value?.kind === 'hole') return 1
  const number =
    value?.kind === 'number' && !more && args.named.length === 0 ? Number(value.text) : Number.NaN
  if (Number.isSafeInteger(number) && number > 0) return number
  context.report(problem('wrong_count', { operator: name.text }, { span: args.span }))
  return undefined
}

function singleton(context: Context, source: CheckedNode, segment: CallSegment): CheckedNode | undefined {
  const { positional, named } = segment.arguments
  if (positional.length > 0 || named.length > 0) return wrongArguments(context, segment)
  return {
    kind: 'singleton',
    source,
    rows: { ...source.rows, shape: 'one', single: true },
    span: segment.span,
  }
}

function wrongArguments(context: Context, { name, arguments: args }: CallSegment, fix?: Fix): undefined {
  const form = OPERATORS.get(name.text)?.form ?? `.${name.text}(…)`
  const place = { span: args.span, ...(fix && { fix }) }
  context.report(problem('operator_arguments', { operator: name.text, form }, place))
}

const DIRECTIONS: ReadonlyMap<string, boolean> = new Map([
  ['asc', false],
  ['ascending', false],
  ['desc', true],
  ['descending', true],
])

function sort(context: Context, source: CheckedNode, segment: CallSegment): CheckedNode | undefined {
  const [field, direction, more] = segment.arguments.positional
  const [path, after] = field ? spaced(field) : []
  const minus = field && wordIn(field)
  if (minus && /^-[A-Za-z_]/.test(minus.text)) {
    // The syntax of other languages.
    const fix = { edits: [{ span: minus.span, text: `${minus.text.slice(1)}, desc` }] }
    const { form = '' } = BY_NAME.sort
    context.report(problem('operator_arguments', { operator: 'sort', form }, { span: minus.span, fix }))
    return undefined
  }
  if (!path || more || segment.arguments.named.length > 0)
    return wrongArguments(context, segment, sortFix(segment))
  const written = direction ? wordIn(direction) : (after ?? { text: 'asc', span: segment.span })
  const descending = written && DIRECTIONS.get(written.text)
  if (descending === undefined) {
    const word = written ?? { text: 'this', span: direction?.span ?? segment.arguments.span }
    const place = direction ? nameAt(word.span, word.text, DIRECTIONS.keys()) : { span: word.span }
    context.report(problem('unknown_direction', { direction: word.text }, place))
    return undefined
  }
  const spot = spotAt(context, source.rows, path.names)
  return (
    spot && {
      kind: 'sort',
      source,
      path: spot.path,
      descending,
      type: spot.type,
      rows: source.rows,
      span: segment.span,
    }
  )
}

/** `total desc`, the direction written as in SQL, is the path and the direction. */
function spaced(value: Value): readonly [path?: FieldPath | undefined, direction?: Name] {
  const words = value.kind === 'bare' ? value.text.split(/\s+/) : []
  const [first = '', second = '', third] = words
  if (words.length < 2) return [pathIn(value)]
  if (third !== undefined) return []
  const names = first.split('.').map((text) => ({ text, span: value.span }))
  return [
    { names, span: value.span },
    { text: second, span: value.span },
  ]
}

function wordIn(value: Value): Name | undefined {
  if (value.kind === 'text') return { text: value.value, span: value.span }
  return value.kind === 'bare' ? { text: value.text, span: value.span } : undefined
}

function groupBy(context: Context, source: CheckedNode, segment: CallSegment): CheckedNode | undefined {
  const keys = groupKeys(segment.arguments)
  if (keys.length === 0) return wrongArguments(context, segment)
  const by = keys.map(({ path, as }) => {
    const spot = spotAt(context, source.rows, path.names)
    return spot && { name: as ?? nameOfSpot(spot), spot }
  })
  const known = by.filter((key) => key !== undefined)
  if (known.length < by.length) return undefined
  const isKey = (value: Value) => keys.some((key) => key.value === value)
  return checkAggregates(context, source, segment, { keys: known, isKey })
}

/** The fields to group by, as in `.group_by(status, team=team.key, n=count)`: what is no aggregate. */
function groupKeys({ positional, named }: Arguments): readonly GroupKey[] {
  const keyOf = (value: Value, as?: string): readonly GroupKey[] => {
    const path = isAggregate(value) ? undefined : pathIn(value)
    return path ? [{ value, path, ...(as !== undefined && { as }) }] : []
  }
  return [
    ...positional.flatMap((value) =>
      value.kind === 'list'
        ? value.items.flatMap((item) => keyOf(item).map((key) => ({ ...key, value })))
        : keyOf(value),
    ),
    ...named.flatMap(({ name, value }) => (value.kind === 'path' ? keyOf(value, name.text) : [])),
  ]
}

interface GroupKey {
  readonly value: Value
  readonly path: Pick<FieldPath, 'names'>
  /** The column's name, if it is not that of the field. */
  readonly as?: string
}

/** `_.name` in the body of a loop: a column of the row around. */
function isAround({ cursor }: Context, { names: [first, second] }: FieldPath): boolean {
  return cursor !== undefined && first?.text === '_' && second !== undefined
}

/** Each row knows the row that it was read from, and no row before that. */
function aroundSpot(context: Context, source: CheckedNode, { names, span }: FieldPath): Spot | undefined {
  const [, second, more] = names
  const isNear =
    'source' in source ? source.source?.kind === 'cursor' : source.kind === 'query' || source.kind === 'get'
  if (!isNear || more || !second || !context.cursor) {
    context.report(problem('far_cursor', {}, { span }))
    return undefined
  }
  const spot = spotAt(context, context.cursor, [second])
  return spot && { ...spot, path: ['_', ...spot.path] }
}

/** `[title, author.login]`: these columns, in this order. */
export function checkProject(
  context: Context,
  source: CheckedNode,
  segment: Extract<Segment, { kind: 'project' }>,
): CheckedNode | undefined {
  const spots = new Map<string, Spot>()
  const columns: { readonly name: string; readonly path: readonly string[] }[] = []
  let wrong = false
  for (const field of segment.fields) {
    const spot = isAround(context, field)
      ? aroundSpot(context, source, field)
      : spotAt(context, source.rows, field.names)
    if (!spot) {
      wrong = true
      continue
    }
    const name = field.as?.text ?? nameOfSpot(spot)
    const known = spots.get(name)
    if (known && nameOfSpot(known) !== nameOfSpot(spot)) {
      context.report(problem('duplicate_argument', { name }, { span: field.span }))
      wrong = true
    }
    if (known) continue
    spots.set(name, spot)
    columns.push({ name, path: spot.path })
  }
  if (wrong) return undefined
  const rows = { ...source.rows, columns: Array.from(spots, ([name, spot]) => ({ ...columnOf(spot), name })) }
  return { kind: 'project', source, columns, rows, span: segment.span }
}
