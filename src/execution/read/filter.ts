import type { Json } from '../../base/canonical.ts'
import type { Type } from '../../catalog/model.ts'
import type { Filter } from '../../language/plan/plan.ts'
import { compareValues, isNothing, orderType, sameValue } from './compare.ts'
import { isList, scalarText } from '../../base/json.ts'
import { type LiveRow, rowValue } from '../row.ts'

/** A condition on rows whose value is known. */
export interface KnownFilter {
  readonly path: readonly string[]
  readonly operator: Filter['operator']
  readonly type: Type
  readonly value: Json
  /** The value is a list of which one has to be equal, or none for `!=`. */
  readonly oneOf?: true
}

/** Whether the row meets every condition. A missing value meets only `= null`. */
export function passes(row: LiveRow, filters: readonly KnownFilter[]): boolean {
  return filters.every((filter) => meets(rowValue(row, filter.path), filter))
}

function meets(held: Json | undefined, filter: KnownFilter): boolean {
  const { operator, value, type, oneOf } = filter
  if (oneOf && isList(value)) {
    const one = (item: Json) => meets(held, { path: filter.path, operator, type, value: item })
    return operator === '=' ? value.some(one) : value.every(one)
  }
  if (value === null) return operator === '=' ? isNothing(held) : operator === '!=' && !isNothing(held)
  if (held === undefined) return false
  if (operator === '!=') return held === null || !sameValue(held, value, type)
  if (held === null) return false
  switch (operator) {
    case '=':
      return sameValue(held, value, type)
    case '~':
      return contains(held, value, type)
    case '<':
      return order(held, value, type) < 0
    case '<=':
      return order(held, value, type) <= 0
    case '>':
      return order(held, value, type) > 0
    case '>=':
      return order(held, value, type) >= 0
  }
}

/** As rows are sorted: text that holds numbers is ordered by their size. */
function order(held: Json, value: Json, type: Type): number {
  return compareValues(held, value, orderType([held, value], type))
}

/** A list contains all of the given items; text contains the given text, without regard to case. */
function contains(held: Json, value: Json, type: Type): boolean {
  if (isList(held)) {
    const items = type.kind === 'array' ? type.items : type
    return (isList(value) ? value : [value]).every((wanted) =>
      held.some((one) => sameValue(one, wanted, items)),
    )
  }
  const [text, part] = [
    scalarText(held),
    scalarText(isList(value) && value.length === 1 ? (value[0] ?? '') : value),
  ]
  return text !== undefined && part !== undefined && text.toLowerCase().includes(part.toLowerCase())
}
