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
  if (!node.rows.single)
    context.report(problem('many_rows', { label: label.text }, { span: label.span, ...asSingle(node) }))
  return node.rows.single
}

/** The fix that adds `.singleton()`; none where that cannot follow. */
export function asSingle({ kind, span }: CheckedNode): { readonly fix?: Fix } {
  if (kind === 'each' || kind === 'data' || kind === 'render') return {}
  const at = { start: span.end, end: span.end }
  return { fix: { edits: [{ span: at, text: '.singleton()' }] } }
}
