import type { Fix } from '../../../base/diagnostic.ts'
import { fieldsOf } from '../../../catalog/lookup.ts'
import { problem } from '../../problems.ts'
import type { Segment } from '../../syntax/tree.ts'
import type { Rows } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { nameOf, slotName } from '../model/resolve.ts'

/** Reports a relation, a reference or a column that is called like a method: `.labels()`. */
export function refusesCalledSlot(
  context: Context,
  { target }: Rows,
  { name, arguments: args, span }: Extract<Segment, { kind: 'call' }>,
): boolean {
  const wire = target && slotName(context.scope, name.text, target)
  if (!target || wire === undefined) return false
  const field = fieldsOf(target.entity).get(wire)
  const isStep = field
    ? field.type.kind === 'reference'
    : target.entity.relations.some((one) => one.name === wire)
  if (!field && !isStep) return false
  const form = isStep ? `.${name.text}` : `[${name.text}]`
  const what = isStep ? 'a relation' : 'a column'
  const of = nameOf(context.scope, target)
  const fix = fixOf(isStep, { name, arguments: args, span })
  context.report(
    problem('called_slot', { name: name.text, of, what, form }, { span: name.span, ...(fix && { fix }) }),
  )
  return true
}

function fixOf(
  isStep: boolean,
  { name, arguments: args, span }: Pick<Extract<Segment, { kind: 'call' }>, 'name' | 'arguments' | 'span'>,
): Fix | undefined {
  if (args.positional.length > 0) return undefined
  if (args.named.length === 0)
    return isStep ? { edits: [{ span: args.span, text: '' }] } : { edits: [{ span, text: `[${name.text}]` }] }
  if (!isStep) return undefined
  const { start, end } = args.span
  return {
    edits: [
      { span: { start, end: start + 1 }, text: '{' },
      { span: { start: end - 1, end }, text: '}' },
    ],
  }
}
