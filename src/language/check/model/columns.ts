import type { Type } from '../../../catalog/model.ts'
import type { FieldPath, Value } from '../../syntax/tree.ts'
import type { Column } from './checked.ts'
import type { Spot } from './shape.ts'

/** A value read as a path to a field. */
export function pathIn(value: Value): FieldPath | undefined {
  if (value.kind === 'path') return { names: value.names, span: value.span }
  if (value.kind === 'bare') return { names: [{ text: value.text, span: value.span }], span: value.span }
  if (value.kind === 'text') return { names: [{ text: value.value, span: value.span }], span: value.span }
  return undefined
}

/** The column of a place in a row. */
export function columnOf(spot: Spot): Column {
  return { name: nameOfSpot(spot), type: spot.type, brands: spot.brands }
}

export function nameOfSpot(spot: Spot): string {
  return spot.path.join('.')
}

/** The kind of values that an aggregate function accepts. */
export function isNumeric(type: Type): boolean {
  return type.kind === 'integer' || type.kind === 'number' || type.kind === 'json'
}
