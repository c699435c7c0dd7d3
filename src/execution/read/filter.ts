import type { Json } from '../../base/canonical.ts'
import type { Pace } from '../../base/slices/pace.ts'
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

/** So many characters are searched, or items compared, in much less than a millisecond. */
const [CHARACTERS, ITEMS] = [64 * 1024, 1024]

/** The rows that meet every condition. */
export async function passingRows(
  pace: Pace,
  rows: readonly LiveRow[],
  filters: readonly KnownFilter[],
): Promise<readonly LiveRow[]> {
  if (filters.length === 0) return rows
  const passing: LiveRow[] = []
  for (const row of rows) if (await pace.made(passes(row, filters))) passing.push(row)
  return passing
}

/**
 * Whether the row meets every condition. A missing value meets only `= null`.
 *
 * @yields within large values
 */
export function* passes(row: LiveRow, filters: readonly KnownFilter[]): Generator<void, boolean> {
  for (const filter of filters) if (!(yield* meets(rowValue(row, filter.path), filter))) return false
  return true
}

function* meets(held: Json | undefined, filter: KnownFilter): Generator<void, boolean> {
  const { operator, value, type, oneOf } = filter
  if (oneOf && isList(value)) {
    // `=` is met by the first item that is equal, `!=` by none that is.
    for (const item of value)
      if ((yield* meets(held, { path: filter.path, operator, type, value: item })) === (operator === '='))
        return operator === '='
    return operator !== '='
  }
  if (value === null) return operator === '=' ? isNothing(held) : operator === '!=' && !isNothing(held)
  if (held === undefined) return false
  if (operator === '!=') return held === null || !sameValue(held, value, type)
  if (held === null) return false
  switch (operator) {
    case '=':
      return sameValue(held, value, type)
    case '~':
      return yield* contains(held, value, type)
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

/**
 * A list contains all of the given items; text contains the given text, without regard to case.
 *
 * @yields within large values
 */
function* contains(held: Json, value: Json, type: Type): Generator<void, boolean> {
  if (isList(held)) {
    const items = type.kind === 'array' ? type.items : type
    for (const wanted of isList(value) ? value : [value])
      if (!(yield* holdsItem(held, wanted, items))) return false
    return true
  }
  const [text, part] = [
    scalarText(held),
    scalarText(isList(value) && value.length === 1 ? (value[0] ?? '') : value),
  ]
  return text !== undefined && part !== undefined && (yield* holdsText(text, part.toLowerCase()))
}

function* holdsItem(held: readonly Json[], wanted: Json, type: Type): Generator<void, boolean> {
  for (const [at, item] of held.entries()) {
    if (at % ITEMS === ITEMS - 1) yield
    if (sameValue(item, wanted, type)) return true
  }
  return false
}

/** Searched in pieces that overlap by the part and the letter behind it: the case of some letters depends on the next one. */
function* holdsText(text: string, part: string): Generator<void, boolean> {
  for (let at = 0; at === 0 || at < text.length; at += CHARACTERS) {
    if (at > 0) yield
    const piece = text.slice(at, at + CHARACTERS + part.length + 1)
    if (piece.toLowerCase().includes(part)) return true
  }
  return false
}
