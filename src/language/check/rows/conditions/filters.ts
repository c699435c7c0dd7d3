import type { Slot, Type } from '../../../../catalog/model.ts'
import type { Predicate } from '../../../syntax/tree.ts'
import type { CheckedFilter, CheckedValue, Target } from '../../model/checked.ts'
import type { Context } from '../../model/context.ts'
import type { Spot } from '../../model/shape.ts'
import { wantOf } from '../../model/want.ts'
import { refusesOperator } from '../../rules/comparison.ts'
import { refusesDateWord } from '../../rules/date-words.ts'
import { listOf } from '../../values/literal.ts'

/** A condition on a place in a row. A list of values after `=` or `!=` means one of them; after a list field, membership. */
export function filterOn(
  context: Context,
  owner: Target,
  predicate: Predicate,
  spot: Spot,
): CheckedFilter | undefined {
  const { path } = spot
  const slot: Slot = { name: path.join('.'), type: spot.type, required: false }
  const brands = spot.brands
  if (isOneOf(predicate, spot.type)) {
    if (refusesOperator(context, predicate, slot.name, spot.type) || predicate.value?.kind !== 'list')
      return undefined
    const want = { ...wantOf(owner, slot), brands, required: true }
    const inside = { ...context, comparing: predicate.operator }
    const value = listOf(predicate.value.items.map((item) => context.checkValue(inside, item, want)))
    return value && { path, operator: predicate.operator, type: spot.type, value, oneOf: true }
  }
  if (refusesOperator(context, predicate, slot.name, spot.type)) return undefined
  if (refusesDateWord(context, predicate, slot.name, spot.type)) return undefined
  const isMember =
    predicate.operator === '=' && isList(spot.type) && predicate.value?.kind !== 'list' && predicate.value
  const operator = isMember ? '~' : predicate.operator
  const wanted = spot.type.kind === 'array' && operator === '~' ? spot.type.items : spot.type
  const value = valueOf(context, predicate, owner, { slot: { ...slot, type: wanted }, brands, operator })
  return value && { path, operator, type: wanted, value }
}

/** `priority=[1, 2]`: one of several values of a field that holds one. */
export function isOneOf({ operator, value }: Predicate, type: Type): boolean {
  return value?.kind === 'list' && (operator === '=' || operator === '!=') && !isList(type)
}

function isList({ kind }: Type): boolean {
  return kind === 'array' || kind === 'multi_select'
}

interface Wanted {
  readonly slot: Slot
  readonly brands: readonly string[]
  readonly operator: CheckedFilter['operator']
}

function valueOf(
  context: Context,
  predicate: Predicate,
  owner: Target,
  { slot, brands, operator }: Wanted,
): CheckedValue | undefined {
  if (!predicate.value) return { kind: 'literal', value: null }
  // `name~jan` matches a part, which need not be a valid value of the slot.
  const contains = predicate.operator === '~' && operator === '~' && slot.type.kind !== 'reference'
  const type: Type = contains ? { kind: 'string', semantics: 'short' } : slot.type
  const comparing = { ...context, comparing: predicate.operator }
  return context.checkValue(comparing, predicate.value, { ...wantOf(owner, slot), type, brands })
}
