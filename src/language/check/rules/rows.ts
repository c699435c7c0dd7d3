import { problem } from '../../problems.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { isFetched } from '../values/fetched.ts'

/** Reports nodes without readable rows: a write that returns none, or an entity that no call can fetch. */
export function hasRows(context: Context, node: CheckedNode): boolean {
  return answers(context, node) && isFetched(context, node)
}

/** Reports a write that returns no rows. */
export function answers(context: Context, node: CheckedNode): boolean {
  if (!node.rows.nothing) return true
  const name = node.kind === 'label' ? node.label : node.kind === 'call' ? node.capability.label : 'it'
  context.report(problem('write_gives_no_rows', { name }, { span: node.span }))
  return false
}
