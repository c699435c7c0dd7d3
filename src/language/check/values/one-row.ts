import type { Fix } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Name } from '../../syntax/tree.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'

/** A single value may be taken only from what gives at most one row, and any rows at all. */
export function oneRow(context: Context, node: CheckedNode, label: Name): boolean {
  if (node.rows.nothing) {
    context.report(problem('write_gives_no_rows', { name: label.text }, { span: label.span }))
    return false
  }
  if (!node.rows.single)
    context.report(problem('many_rows', { label: label.text }, { span: label.span, ...asSingle(node) }))
  return node.rows.single
}

/** The rows with the proof behind them that they are one. */
export function asSingle({ kind, span }: CheckedNode): { readonly fix?: Fix } {
  if (kind === 'each' || kind === 'data' || kind === 'render') return {}
  const at = { start: span.end, end: span.end }
  return { fix: { edits: [{ span: at, text: '.singleton()' }] } }
}
