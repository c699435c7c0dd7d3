import { problem } from '../../problems.ts'
import type { Name } from '../../syntax/tree.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'

/** Operators apply to reads only: `.limit(2)` after a write looks as if it limited what is written. */
export function isRead(context: Context, node: CheckedNode, operator: Name): boolean {
  if (node.kind !== 'call' || node.capability.effect === 'read') return true
  context.report(
    problem(
      'write_in_read',
      { name: node.capability.label, where: `before \`.${operator.text}\`` },
      { span: operator.span },
    ),
  )
  return false
}
