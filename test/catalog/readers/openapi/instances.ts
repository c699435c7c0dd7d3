import fc from 'fast-check'
import type { Json } from '../../../../src/base/canonical.ts'
import { isRecord, recordOf } from '../../../../src/base/json.ts'

type Schema = { readonly [key: string]: Json }

const DEEPEST = 6
/** A member that no schema names, where a schema says that there may be more. */
export const UNDECLARED = 'zz9'
const ANYTHING = fc.constantFrom<Json>('some text', 5, true, { some: 'thing' })
const TEXTS: Readonly<Record<string, Json>> = {
  'date-time': '2024-03-05T00:00:00Z',
  date: '2024-03-05',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  byte: 'aGk=',
  binary: 'aGk=',
}

/** What a reference of the document leads to. */
export function resolvedIn(document: Json, schema: Json | undefined): Schema {
  let held = schema
  for (let hop = 0; hop < 32 && isRecord(held) && typeof held['$ref'] === 'string'; hop++) {
    const keys = held['$ref'].split('/').slice(1)
    held = keys.reduce<Json | undefined>((at, key) => childOf(at, unescaped(key)), document)
  }
  return isRecord(held) ? held : {}
}

function childOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(key)]
  return isRecord(value) ? value[key] : undefined
}

function unescaped(key: string): string {
  return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Values that fit a schema of the document, as its structure allows: lengths, bounds and patterns are left aside. */
export function instancesOf(document: Json, written: Json | undefined, depth = 0): fc.Arbitrary<Json> {
  const schema = merged(document, resolvedIn(document, written))
  const alternatives = [schema['oneOf'], schema['anyOf']].flatMap((one) => (Array.isArray(one) ? one : []))
  if (alternatives.length > 0 && depth <= DEEPEST + 2) {
    const { oneOf: _oneOf, anyOf: _anyOf, ...own } = schema
    return fc
      .constantFrom(...alternatives)
      .chain((one) => instancesOf(document, { allOf: [own, one] }, depth + 1))
  }
  if (schema['const'] !== undefined) return fc.constant(schema['const'])
  const types = [schema['type']].flat().filter((type) => typeof type === 'string')
  const options = schema['enum']
  const isNullable = schema['nullable'] === true || types.length === 0 || types.includes('null')
  if (Array.isArray(options)) return fc.constantFrom(...options.filter((one) => one !== null || isNullable))
  const [type, ...others] = types
  if (others.length > 0) return fc.oneof(...types.map((one) => ofType(document, schema, one, depth)))
  const known = type ?? (schema['properties'] ? 'object' : schema['items'] ? 'array' : undefined)
  return known === undefined ? ANYTHING : ofType(document, schema, known, depth)
}

function ofType(document: Json, schema: Schema, type: string, depth: number): fc.Arbitrary<Json> {
  switch (type) {
    case 'string':
      return fc.constant(TEXTS[typeof schema['format'] === 'string' ? schema['format'] : ''] ?? 'some text')
    case 'integer':
      return fc.constant(7)
    case 'number':
      return fc.constant(1.5)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return depth > DEEPEST
        ? fc.constant([])
        : instancesOf(document, schema['items'], depth + 1).map((one) => [one])
    default:
      return objects(document, schema, depth)
  }
}

function objects(document: Json, schema: Schema, depth: number): fc.Arbitrary<Json> {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : []
  const entries = properties.map(([name, held]) => {
    const inner = merged(document, resolvedIn(document, held))
    const isNeeded = required.includes(name)
    const value = instancesOf(document, held, depth + 1).map((one) => [[name, one] as const])
    const absent = fc.constant([])
    if (!isNeeded && (depth > DEEPEST || inner['readOnly'] === true || inner['deprecated'] === true))
      return absent
    return isNeeded ? value : fc.oneof(value, absent)
  })
  const more =
    schema['additionalProperties'] === true
      ? fc.constantFrom([], [[UNDECLARED, 'more'] as const])
      : fc.constant([])
  return fc.tuple(...entries, more).map((all) => recordOf<Json>(all.flat()))
}

/** A schema with the parts of its `allOf`. */
function merged(document: Json, schema: Schema): Schema {
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'] : []
  if (parts.length === 0) return schema
  const { allOf: _allOf, ...own } = schema
  const all = [...parts.map((part) => merged(document, resolvedIn(document, part))), own]
  const list = (key: string) => all.flatMap((part) => (Array.isArray(part[key]) ? part[key] : []))
  const alternatives = all.flatMap((part) =>
    ['oneOf', 'anyOf'].flatMap((key) => (Array.isArray(part[key]) ? [part[key]] : [])),
  )
  const properties = Object.assign({}, ...all.map((part) => part['properties'] ?? {}))
  const [first, ...more] = alternatives
  if (more.length > 0) throw new Error('an `allOf` of several alternatives is not generated')
  return {
    ...Object.assign({}, ...all),
    required: list('required'),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(first && { oneOf: first }),
  }
}
