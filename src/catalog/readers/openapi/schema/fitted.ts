import type { Json } from '../../../../base/canonical.ts'
import { child, isList, isRecord, recordOf } from '../../../../base/json.ts'
import type { Schemas } from './schemas.ts'
import { unixFormatOf } from './moments.ts'
import { isArray, type View } from './view.ts'

/** A schema, and the places where an example showed that it cannot be meant as it is written. */
export interface Fitted {
  readonly schema: Json
  /** Dotted. */
  readonly places: readonly string[]
}

/** So deep is an example followed, and so many of its values are looked at. */
const DEEPEST = 5
const MAX_VALUES = 400

/**
 * A schema as its example needs it: what the schema calls one object and the example shows as a list of objects is a list of
 * such objects, and a number that the example shows as a moment is a date. Everything else stays as the schema says.
 *
 * @param keepsObjects objects stay what the schema says as well
 */
export function fittedTo(example: Json, schema: Json, schemas: Schemas, keepsObjects = false): Fitted {
  const places: string[] = []
  let left = MAX_VALUES
  const fit = (one: Json, shown: Json, path: readonly string[]): Json => {
    if (left-- <= 0 || path.length > DEEPEST || !isRecord(one)) return one
    const view = schemas.view(one)
    if (isList(shown)) {
      const [first] = shown
      if (!isRecord(first)) return one
      if (isArray(view)) {
        const { items } = view
        const fitted = items === undefined ? items : fit(items, first, path)
        return fitted === undefined || fitted === items ? one : { ...one, items: fitted }
      }
      const isObject = view.types.every((type) => type === 'object') && schemas.properties(view).size > 0
      if (!isObject || keepsObjects || !shown.every(isRecord)) return one
      // A list in the place of the whole answer is a list of examples of it.
      if (path.length === 0) return fit(one, first, path)
      places.push(path.join('.'))
      return { type: 'array', items: fit(one, first, path) }
    }
    if (!isRecord(shown)) return timed(one, view, unixFormatOf(path.at(-1) ?? '', shown))
    const changed = [...schemas.properties(view)].flatMap(([name, held]) => {
      const value = child(shown, name)
      const fitted = value === undefined ? held : fit(held, value, [...path, name])
      return fitted === held ? [] : [[name, fitted] as const]
    })
    if (changed.length === 0) return one
    const own = child(one, 'properties')
    return { ...one, properties: recordOf([...(isRecord(own) ? Object.entries(own) : []), ...changed]) }
  }
  return { schema: fit(schema, example, []), places }
}

/** The schema of a number, or of digits, with the format of a moment. */
function timed(
  schema: { readonly [key: string]: Json },
  { types, format = '', options }: View,
  unit: string | undefined,
): Json {
  const isNumber = types.length === 1 && (types[0] === 'integer' || types[0] === 'number')
  const isDigits = types.length === 1 && types[0] === 'string' && format === '' && options === undefined
  return unit !== undefined && (isNumber || isDigits) && !('$ref' in schema)
    ? { ...schema, format: unit }
    : schema
}
