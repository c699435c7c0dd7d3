import type { Type } from '../../../model.ts'
import { commonType, JSON_VALUE, scalarType, TEXT } from './scalars.ts'
import type { Schemas } from './schemas.ts'
import { isArray, isScalar, type View } from './view.ts'

/** The type of a value in an answer: objects are JSON, unless they are rows of their own. */
export function fieldType(schemas: Schemas, view: View, depth = 0): Type {
  if (isArray(view)) {
    const items = depth > 0 ? JSON_VALUE : fieldType(schemas, schemas.view(view.items), depth + 1)
    return items.kind === 'json' ? JSON_VALUE : { kind: 'array', items }
  }
  if (view.variants.length > 0) {
    const types = view.variants.map((one) => scalarFieldType(schemas.view(one)))
    const known = types.filter((type) => type !== undefined)
    return known.length === types.length ? (commonType(known) ?? TEXT) : JSON_VALUE
  }
  if (view.properties.size > 0) return JSON_VALUE
  const type = scalarFieldType(view) ?? JSON_VALUE
  // One constant value is no choice.
  return type.kind === 'select' && type.options.length === 1 ? TEXT : type
}

/** Scalars of several kinds are shown as text, and digits in text (`format: int64`) as the number that they are. */
function scalarFieldType(view: View): Type | undefined {
  const { types, format = '', options } = view
  if (types.length === 1 && types[0] === 'string' && !options) {
    if (/^u?int(?:32|64)$/.test(format)) return { kind: 'integer' }
    if (/^(?:decimal|double|float)(?:\d*)$/.test(format)) return { kind: 'number' }
  }
  const type = scalarType(view) ?? (isScalar(view) ? TEXT : undefined)
  // Rows hold what they hold.
  return type?.kind === 'integer' || type?.kind === 'number' ? { kind: type.kind } : type
}
