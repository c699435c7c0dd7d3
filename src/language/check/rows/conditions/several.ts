import { parametersOf } from '../../../../catalog/lookup.ts'
import type { Capability, Slot, Type } from '../../../../catalog/model.ts'
import type { Value } from '../../../syntax/tree.ts'
import type { CheckedArgument, CheckedNode, Target } from '../../model/checked.ts'
import type { Context } from '../../model/context.ts'
import { wantOf } from '../../model/want.ts'
import { listOf, recordOf } from '../../values/literal.ts'
import type { Condition } from './conditions.ts'
import { isSent } from './predicates.ts'

/** Several values for an argument that takes one. */
export interface Several {
  readonly condition: Condition
  readonly slot: Slot
  readonly list: Extract<Value, { kind: 'list' }>
}

/**
 * The condition of a read that gives a list to an argument of one value: `labels=[bug, regression]`. Undefined where none
 * or more than one does, and inside a loop, whose body reads once for each row already.
 */
export function severalIn(
  context: Context,
  target: Target,
  capability: Capability,
  conditions: readonly Condition[],
): Several | undefined {
  if (context.cursor) return undefined
  const [only, more] = conditions.flatMap((condition) => {
    const slot = parametersOf(capability).get(condition.wire)
    return slot && isSent(target, condition, capability) ? (listFor(condition, slot) ?? []) : []
  })
  return more ? undefined : only
}

/** The list that the condition gives to a slot of one value. */
export function listFor(condition: Condition, slot: Slot): Several | undefined {
  const { operator, value } = condition.predicate
  const isSeveral = operator === '=' && value?.kind === 'list' && value.items.length > 0
  return isSeveral && takesOne(slot.type) ? { condition, slot, list: value } : undefined
}

function takesOne({ kind }: Type): boolean {
  return ['string', 'uuid', 'integer', 'number', 'boolean', 'select', 'date', 'reference'].includes(kind)
}

/** One read for each of the values; their rows are united, each once. */
export function united(
  context: Context,
  target: Target,
  { slot, list }: Several,
  read: (argument: CheckedArgument) => CheckedNode,
): CheckedNode | undefined {
  const want = { ...wantOf(target, slot), required: true }
  const value = listOf(
    list.items.map((item) => {
      const held = context.checkValue(context, item, want)
      return held && recordOf([[slot.name, held]])
    }),
  )
  if (!value) return undefined
  const columns = [{ name: slot.name, type: slot.type, brands: want.brands }]
  const source: CheckedNode = {
    kind: 'data',
    value,
    rows: { shape: 'many', single: false, columns },
    span: list.span,
  }
  const body = read({ slot, value: { kind: 'cursor', path: [slot.name], text: `_.${slot.name}` } })
  const rows = { ...body.rows, shape: 'many', single: false } as const
  return { kind: 'each', source, body, distinct: true, rows, span: body.span }
}
