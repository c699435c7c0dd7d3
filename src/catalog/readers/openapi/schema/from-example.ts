import type { Json } from '../../../../base/canonical.ts'
import { isList, isRecord, recordOf } from '../../../../base/json.ts'

const DEEPEST = 6
const MAX_KEYS = 100
const MAX_ITEMS = 3

/** A schema that the example fits: what a document shows where it declares nothing. */
export function schemaOfExample(example: Json, depth = 0): Json {
  if (depth > DEEPEST) return {}
  if (isList(example)) {
    const items = example.slice(0, MAX_ITEMS).map((item) => schemaOfExample(item, depth + 1))
    return { type: 'array', items: mergedObjects(items) }
  }
  if (isRecord(example)) {
    const entries = Object.entries(example).slice(0, MAX_KEYS)
    const properties = recordOf(entries.map(([name, held]) => [name, schemaOfExample(held, depth + 1)]))
    return { type: 'object', properties }
  }
  if (typeof example === 'string') return { type: 'string' }
  if (typeof example === 'boolean') return { type: 'boolean' }
  if (typeof example === 'number') return { type: Number.isInteger(example) ? 'integer' : 'number' }
  return {}
}

function mergedObjects(schemas: readonly Json[]): Json {
  const [first = {}] = schemas
  const properties = schemas.flatMap((schema) =>
    isRecord(schema) && isRecord(schema['properties']) ? Object.entries(schema['properties']) : [],
  )
  return properties.length === 0 ? first : { type: 'object', properties: recordOf(properties.toReversed()) }
}
