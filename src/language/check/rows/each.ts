import { problem } from '../../problems.ts'
import type { Expression, Name } from '../../syntax/tree.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { columnNames, spotAt } from '../model/shape.ts'
import { reportUnpaged } from './page-size.ts'
import { countedPerRow } from './counted-per-row.ts'
import { refusesRowless } from '../rules/rows.ts'
import { slotName } from '../model/resolve.ts'

/**
 * `rows => body`: runs the body for each row, `_` being the row. Steps after the call, get or query of the body run once,
 * over all its rows: the result is the same, in the same order.
 */
export function checkEach(
  context: Context,
  expression: Extract<Expression, { kind: 'each' }>,
): CheckedNode | undefined {
  const source = context.checkExpression(context, expression.source)
  if (!source || refusesRowless(context, source)) return undefined
  reportUnpaged(context, source.kind === 'label' ? source.node : source, 'each')
  const inner: Context = { ...context, cursor: { ...source.rows, shape: 'one', single: true } }
  const { body } = expression
  const checked = isValue(inner, body) ? 'value' : inner.checkExpression(inner, body)
  if (checked === undefined) return undefined
  if (checked !== 'value' && calls(checked)) return lifted(context, source, checked)
  context.report(problem('empty_loop', {}, { span: body.span }))
  return undefined
}

/** Does the body call anything of its own? */
function calls(body: CheckedNode): boolean {
  if (body.kind === 'project') return calls(body.source)
  return body.kind !== 'cursor' && body.kind !== 'data'
}

/** Is the body a path to a value: `_.title`, `report.content`, `_`? */
function isValue(context: Context, body: Expression): boolean {
  if (body.kind !== 'rows') return false
  const first: Name | undefined =
    body.head.kind === 'cursor'
      ? { text: '_', span: body.head.span }
      : body.head.kind === 'name'
        ? body.head.name
        : undefined
  const names: Name[] = []
  for (const segment of body.segments) {
    if (segment.kind !== 'step' || segment.predicates) return false
    names.push(segment.name)
  }
  return first !== undefined && isValuePath(context, first, names)
}

function isValuePath(context: Context, first: Name, names: readonly Name[]): boolean {
  const rows = first.text === '_' ? context.cursor : context.labels.get(first.text)?.rows
  if (!rows) return false
  const [name] = names
  if (!name || rows.columns === 'open') return true
  const wire = slotName(context.scope, name.text, rows.target)
  if (wire === undefined || !columnNames(rows).includes(wire)) return false
  // Relations and references are followed, not displayed.
  const quiet: Context = { ...context, report: () => {} }
  const spot = spotAt(quiet, rows, [name])
  return names.length > 1 || (spot !== undefined && !spot.relation && spot.type.kind !== 'reference')
}

/** Moves the steps after the body's core out of the loop. */
function lifted(context: Context, source: CheckedNode, body: CheckedNode): CheckedNode | undefined {
  switch (body.kind) {
    case 'cursor':
      return source
    case 'query':
    case 'get':
      return loop(source, body)
    case 'call':
      return body.source && body.source.kind !== 'cursor' && readsPerRow(body.source)
        ? refuse(context, body)
        : loop(source, body)
    case 'limit':
      return body.source.kind === 'query'
        ? loop(source, { ...body.source, limit: body.count })
        : notPerRow(context, source, body)
    case 'relation':
    case 'reference':
    case 'project': {
      const inner = lifted(context, source, body.source)
      return inner && { ...body, source: inner, rows: { ...body.rows, shape: 'many', single: false } }
    }
    case 'sort':
    case 'aggregate':
    case 'singleton':
    case 'page_size':
      return notPerRow(context, source, body)
    case 'data':
    case 'label':
    case 'identity':
    case 'reverse':
    case 'each':
    case 'filter':
    case 'render':
    case 'page':
      return refuse(context, body)
  }
}

/** Reports an operator over all rows in a body, which has one row. */
function notPerRow(context: Context, source: CheckedNode, body: CheckedNode): undefined {
  const fix = body.kind === 'aggregate' ? countedPerRow(context, source, body) : undefined
  context.report(problem('not_per_row', { operator: body.kind }, { span: body.span, ...(fix && { fix }) }))
}

function loop(source: CheckedNode, body: CheckedNode): CheckedNode {
  return {
    kind: 'each',
    source,
    body,
    rows: { ...body.rows, shape: 'many', single: source.rows.single && body.rows.single },
    span: body.span,
  }
}

function refuse(context: Context, body: CheckedNode): undefined {
  context.report(problem('each_body', {}, { span: body.span }))
}

/** Whether the node depends on the row, so that each row needs its own read. */
function readsPerRow(node: CheckedNode): boolean {
  return node.kind !== 'label'
}
