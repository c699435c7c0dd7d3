import { problem } from '../../problems.ts'
import type { Name } from '../../syntax/tree.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'

/** Reports an operator after a write: `.limit(2)` there looks as if it limited what is written. */
export function refusesWrite(context: Context, node: CheckedNode, operator: Name): boolean {
  if (node.kind !== 'call' || node.capability.effect === 'read') return false
  context.report(
    problem(
      'write_in_read',
      { name: node.capability.label, where: `before \`.${operator.text}\`` },
      { span: operator.span },
    ),
  )
  return true
}
