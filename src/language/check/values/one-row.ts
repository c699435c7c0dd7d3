import type { Fix } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Name } from '../../syntax/tree.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'

/** Reports taking a single value from a node that may give many rows, or none at all. */
export function refusesAsOneRow(context: Context, node: CheckedNode, label: Name): boolean {
  if (node.rows.nothing) {
    context.report(problem('write_gives_no_rows', { name: label.text }, { span: label.span }))
    return true
  }
  const { comparing } = context
  if (!node.rows.single) {
    // `x{name!=y.name}` means every row of `y`: one of them would be another question.
    const isOfAll = comparing !== undefined && comparing !== '='
    const params = { label: label.text, ...(isOfAll && { isOfAll }) }
    const fix = isOfAll ? {} : asSingle(node)
    context.report(problem('many_rows', params, { span: label.span, ...fix }))
  }
  return !node.rows.single
}

/** The fix that makes one row of several; none where no operator can follow. */
function asSingle(node: CheckedNode): { readonly fix?: Fix } {
  const text = operatorFor(node)
  if (text === undefined) return {}
  return { fix: { edits: [{ span: { start: node.span.end, end: node.span.end }, text }] } }
}

/** `.limit(1)` for rows of which there are several, where `.singleton()` would fail; undefined where neither can follow. */
function operatorFor(node: CheckedNode): '.limit(1)' | '.singleton()' | undefined {
  switch (node.kind) {
    case 'sort':
    case 'aggregate':
    case 'limit':
    case 'page':
    case 'page_size':
      return '.limit(1)'
    case 'project':
      return operatorFor(node.source) ?? '.singleton()'
    case 'label':
      return operatorFor(node.node) ?? '.singleton()'
    case 'each':
    case 'data':
    case 'render':
      return undefined
    case 'query':
    case 'get':
    case 'identity':
    case 'relation':
    case 'reference':
    case 'reverse':
    case 'call':
    case 'cursor':
    case 'filter':
    case 'singleton':
      return '.singleton()'
  }
}
