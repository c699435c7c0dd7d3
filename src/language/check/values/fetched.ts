import { problem } from '../../problems.ts'
import { baseOf } from '../model/base.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { keySlots } from '../model/shape.ts'

/** Reports reading an entity without a get: only its key is known, so methods can be called on it but fields cannot be read. */
export function refusesUnfetched(context: Context, node: CheckedNode): boolean {
  const base = baseOf(node)
  if (base.kind !== 'identity') return false
  const key = keySlots(base.target).map((slot) => `\`${slot.name}\``)
  const instead = `Call a method on it, or use its key (${key.join(', ')}); its fields come with the rows of others`
  context.report(
    problem(
      'no_query',
      { entity: base.target.entity.name, what: 'fetched by its id', instead },
      { span: node.span },
    ),
  )
  return true
}
