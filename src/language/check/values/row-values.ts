import type { Span } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Name, Value } from '../../syntax/tree.ts'
import type { CheckedNode, CheckedValue, Rows } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { columnNames, identitySpot, spotAt, type Spot } from '../model/shape.ts'
import { isFetched } from './fetched.ts'
import { oneRow } from './one-row.ts'

/** A value that comes from a row at run time: a label's or the one under `_`. */
export interface RowValue {
  readonly value: Extract<CheckedValue, { kind: 'node' | 'cursor' }>
  readonly spot: Spot
  readonly rows: Rows
  readonly span: Span
  /** As written, for messages. */
  readonly text: string
}

/** What a word or a path holds, where its first name is a bound label or `_`; nothing where it is plain text. */
export function resolveRowValue(
  context: Context,
  value: Extract<Value, { kind: 'bare' | 'path' }>,
): RowValue | 'broken' | undefined {
  const [first, ...rest]: readonly Name[] =
    value.kind === 'path' ? value.names : [{ text: value.text, span: value.span }]
  if (!first) return undefined
  if (first.text === '_') return cursorHolder(context, value.text, rest, value.span)
  const node = context.labels.get(first.text)
  if (node) return nodeHolder(context, node, first, rest, value.span, value.text)
  if (node === null) return 'broken'
  if (!context.allLabels.has(first.text) || context.isBeingBound(value.text)) return undefined
  context.report(problem('forward_reference', { label: first.text }, { span: first.span }))
  return 'broken'
}

function cursorHolder(
  context: Context,
  text: string,
  names: readonly Name[],
  span: Span,
): RowValue | 'broken' {
  const rows = context.cursor
  if (!rows) {
    context.report(problem('cursor_outside', {}, { span }))
    return 'broken'
  }
  const spot = spotOf(context, rows, names, '_', span)
  return spot ? { value: { kind: 'cursor', path: spot.path, text }, spot, rows, span, text } : 'broken'
}

/** What stands in the single row of the node under these names. */
function nodeHolder(
  context: Context,
  node: CheckedNode,
  label: Name,
  names: readonly Name[],
  span: Span,
  text: string,
): RowValue | 'broken' {
  if (!oneRow(context, node, label)) return 'broken'
  const spot = spotOf(context, node.rows, names, label.text, span)
  if (!spot) return 'broken'
  if (!isKeyOf(node.rows, spot) && !isFetched(context, { ...node, span })) return 'broken'
  const held: CheckedNode = { kind: 'label', label: label.text, node, rows: node.rows, span: label.span }
  return { value: { kind: 'node', node: held, path: spot.path, text }, spot, rows: node.rows, span, text }
}

function spotOf(
  context: Context,
  rows: Rows,
  names: readonly Name[],
  label: string,
  span: Span,
): Spot | undefined {
  if (names.length > 0) return spotAt(context, rows, names)
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

/** Is it the identity or a part of it, so that nothing need be fetched for it? */
function isKeyOf({ target }: Rows, { path }: Spot): boolean {
  const [first, second] = path
  return first === undefined || (second === undefined && target?.entity.key.includes(first) === true)
}
