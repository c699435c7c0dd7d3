import type { Type } from '../../../catalog/model.ts'
import { describeType } from '../../../catalog/values/value.ts'
import { problem } from '../../problems.ts'
import { mayShare } from '../model/brands.ts'
import type { Context } from '../model/context.ts'
import type { RowValue } from './row-values.ts'
import type { Want } from '../model/checked.ts'

/**
 * Reports a row value that cannot fill the slot: its type must be convertible to the slot's, and an id fits only slots for
 * ids of the same entity of the same API. Cases that types and brands cannot decide are checked again at run time.
 */
export function refusesFlow(context: Context, source: RowValue, want: Want): boolean {
  const { spot, text, span } = source
  if (!mayShare(spot.brands, want.brands)) {
    const [given, wanted] = [brandText(spot.brands), brandText(want.brands)]
    const isVariant = spot.path.length > 0 && areVariants(spot.brands, want.brands)
    const fix = { edits: [{ span, text: `"\${${text}}"` }] }
    const place = isVariant ? { span, fix } : { span }
    context.report(problem('foreign_identity', { value: text, given, slot: want.name, wanted }, place))
    return true
  }
  const key = partsOf(source)
  if (key.length > 0 ? takesKey(want.type) : canBecome(spot.type, want.type)) return false
  const [type, expected] = [describeType(spot.type), describeType(want.type)]
  const place = key.length > 0 ? { span, nearest: key.map((part) => `${text}.${part}`) } : { span }
  context.report(problem('incompatible_value', { value: text, type, slot: want.name, expected }, place))
  return true
}

/** `PrivateUser` and `PublicUser` of one API describe one thing, and share its ids. */
function areVariants(brands: readonly string[], others: readonly string[]): boolean {
  const kind = (brand: string) => brand.replace(/ .*?([A-Z][a-z]+)$/, ' $1')
  return brands.some((brand) => others.some((other) => kind(brand) === kind(other)))
}

/** The key parts of the row, if the row is the value and its key is compound; else empty. */
function partsOf({ spot, rows }: RowValue): readonly string[] {
  const key = rows.target?.entity.key ?? []
  return spot.path.length === 0 && key.length > 1 ? key : []
}

/** Whether the type accepts a compound key, which is a record. */
function takesKey(type: Type): boolean {
  if (type.kind === 'array') return takesKey(type.items)
  return type.kind === 'reference' || type.kind === 'json' || takesStructure(type)
}

/** A brand in messages: `shop Customer` is Customer of shop. */
export function brandText(brands: readonly string[]): string {
  return brands
    .map((brand) => `${brand.slice(brand.indexOf(' ') + 1)} of ${brand.slice(0, brand.indexOf(' '))}`)
    .join(' or ')
}

/** Whether some value of type `from` can be converted to type `to`. */
function canBecome(from: Type, to: Type): boolean {
  if (from.kind === 'json' || to.kind === 'json') return true
  if (to.kind === 'array') return canBecome(from.kind === 'array' ? from.items : from, to.items)
  if (to.kind === 'multi_select')
    return canBecome(from.kind === 'array' ? from.items : from, { kind: 'select', options: to.options })
  if (from.kind === 'array' || from.kind === 'multi_select') return takesStructure(to)
  if (from.kind === 'object' || from.kind === 'union')
    return to.kind === from.kind || to.kind === 'reference' || takesStructure(to)
  if (to.kind === 'object' || to.kind === 'union') return false
  if (from.kind === 'select' && to.kind === 'select')
    return from.options.some((option) => to.options.includes(option))
  if (from.kind === 'boolean' || to.kind === 'boolean')
    return isText(from) && isText(to) ? true : from.kind === to.kind || from.kind === 'string'
  if (from.kind === 'date')
    return to.kind === 'date' || isText(to) || to.kind === 'integer' || to.kind === 'number'
  if (to.kind === 'date') return isText(from) || from.kind === 'integer' || from.kind === 'number'
  return true
}

function isText(type: Type): boolean {
  return type.kind === 'string' || type.kind === 'blob'
}

function takesStructure(type: Type): boolean {
  return type.kind === 'blob' || (type.kind === 'string' && type.semantics === 'json_text')
}
