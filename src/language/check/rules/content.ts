import { problem } from '../../problems.ts'
import type { Name } from '../../syntax/tree.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { columnNames } from '../model/shape.ts'

/** Reports the text of a template as a step: it is a value, which can fill an argument but cannot be used as rows. */
export function refusesContent(context: Context, node: CheckedNode, name: Name): boolean {
  if (node.rows.target || name.text !== 'content' || !columnNames(node.rows).includes('content')) return false
  const label = node.kind === 'label' ? node.label : 'it'
  const span = { start: name.span.start - 1, end: name.span.end }
  context.report(
    problem('content_root', { label }, { span: name.span, fix: { edits: [{ span, text: '' }] } }),
  )
  return true
}
