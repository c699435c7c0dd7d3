import type { Span } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Name, Value } from '../../syntax/tree.ts'
import type { CheckedNode, CheckedValue, Rows } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { columnNames, identitySpot, spotAt, type Spot } from '../model/shape.ts'
import { refusesUnfetched } from './fetched.ts'
import { refusesAsOneRow } from './one-row.ts'

/** A value taken at run time from the single row of a label or from the row under `_`. */
export interface RowValue {
  readonly value: Extract<CheckedValue, { kind: 'node' | 'cursor' }>
  readonly spot: Spot
  readonly rows: Rows
  readonly span: Span
  /** As written, for messages. */
  readonly text: string
}

type WordOrPath = Extract<Value, { kind: 'bare' | 'path' }>

/** The row value of a word or a path whose first name is a bound label or `_`; undefined where it is plain text. */
export function resolveRowValue(context: Context, value: WordOrPath): RowValue | 'broken' | undefined {
  const [first, ...rest]: readonly Name[] =
    value.kind === 'path' ? value.names : [{ text: value.text, span: value.span }]
  if (!first) return undefined
  if (first.text === '_') return cursorValue(context, value, rest)
  const node = context.labels.get(first.text)
  if (node) return nodeValue(context, { node, label: first, names: rest }, value)
  if (node === null) return 'broken'
  if (!context.allLabels.has(first.text) || context.isBeingBound(value.text)) return undefined
  context.report(problem('forward_reference', { label: first.text }, { span: first.span }))
  return 'broken'
}

function cursorValue(
  context: Context,
  { text, span }: WordOrPath,
  names: readonly Name[],
): RowValue | 'broken' {
  const rows = context.cursor
  if (!rows) {
    context.report(problem('cursor_outside', {}, { span }))
    return 'broken'
  }
  const spot = spotOf(context, rows, names, { text: '_', span })
  return spot ? { value: { kind: 'cursor', path: spot.path, text }, spot, rows, span, text } : 'broken'
}

interface LabelPath {
  readonly node: CheckedNode
  readonly label: Name
  readonly names: readonly Name[]
}

/** The value in the single row of the node under these names. */
function nodeValue(
  context: Context,
  { node, label, names }: LabelPath,
  { text, span }: WordOrPath,
): RowValue | 'broken' {
  if (refusesAsOneRow(context, node, label)) return 'broken'
  const { rows } = node
  const spot = spotOf(context, rows, names, { text: label.text, span })
  if (!spot) return 'broken'
  if (!isKeyOf(rows, spot) && refusesUnfetched(context, { ...node, span })) return 'broken'
  const held: CheckedNode = { kind: 'label', label: label.text, node, rows, span: label.span }
  return { value: { kind: 'node', node: held, path: spot.path, text }, spot, rows, span, text }
}

function spotOf(
  context: Context,
  rows: Rows,
  names: readonly Name[],
  { text: label, span }: Name,
): Spot | undefined {
  if (names.length > 0) return spotAt(context, rows, names, 'value')
  const spot = identitySpot(rows)
  const columns = columnNames(rows)
  if (!spot) {
    context.report(
      problem(
        'which_column',
        { label, columns: columns.map((name) => `\`${name}\``), column: columns[0] ?? 'value' },
        { span },
      ),
    )
  }
  return spot
}

/** Whether the value is the identity or a part of it, so that no read is needed. */
function isKeyOf({ target }: Rows, { path }: Spot): boolean {
  const [first, second] = path
  return first === undefined || (second === undefined && target?.entity.key.includes(first) === true)
}
