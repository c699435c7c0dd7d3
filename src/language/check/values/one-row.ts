import type { Fix } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Name } from '../../syntax/tree.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'

/** Reports taking a single value from a node that may give many rows, or none at all. */
export function oneRow(context: Context, node: CheckedNode, label: Name): boolean {
  if (node.rows.nothing) {
    context.report(problem('write_gives_no_rows', { name: label.text }, { span: label.span }))
    return false
  }
  const { comparing } = context
  if (!node.rows.single) {
    // `x{name!=y.name}` means every row of `y`: one of them would be another question.
    const isOfAll = comparing !== undefined && comparing !== '='
    const params = { label: label.text, ...(isOfAll && { isOfAll }) }
    const fix = isOfAll ? {} : asSingle(node)
    context.report(problem('many_rows', params, { span: label.span, ...fix }))
  }
  return node.rows.single
}

/** The fix that adds `.singleton()`, or `.limit(1)` to rows of which there are several; none where that cannot follow. */
function asSingle(node: CheckedNode): { readonly fix?: Fix } {
  if (node.kind === 'each' || node.kind === 'data' || node.kind === 'render') return {}
  const at = { start: node.span.end, end: node.span.end }
  return { fix: { edits: [{ span: at, text: hasSeveral(node) ? '.limit(1)' : '.singleton()' }] } }
}

/** Rows that were sorted, grouped or limited to several: `.singleton()` would fail. */
function hasSeveral(node: CheckedNode): boolean {
  switch (node.kind) {
    case 'sort':
    case 'aggregate':
    case 'limit':
    case 'page':
    case 'page_size':
      return true
    case 'project':
      return hasSeveral(node.source)
    case 'label':
      return hasSeveral(node.node)
    case 'query':
    case 'get':
    case 'identity':
    case 'relation':
    case 'reference':
    case 'reverse':
    case 'call':
    case 'cursor':
    case 'each':
    case 'filter':
    case 'singleton':
    case 'render':
    case 'data':
      return false
  }
}
