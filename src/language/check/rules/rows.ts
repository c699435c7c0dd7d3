import { problem } from '../../problems.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { isFetched } from '../values/fetched.ts'

/** Nothing can be read from a write that answers with no rows, nor from an entity that nothing fetches. */
export function hasRows(context: Context, node: CheckedNode): boolean {
  return answers(context, node) && isFetched(context, node)
}

/** Does it answer with rows at all? */
export function answers(context: Context, node: CheckedNode): boolean {
  if (!node.rows.nothing) return true
  const name = node.kind === 'label' ? node.label : node.kind === 'call' ? node.capability.label : 'it'
  context.report(problem('write_gives_no_rows', { name }, { span: node.span }))
  return false
}
