import type { Json } from '../../../base/canonical.ts'
import { child, isList, isRecord } from '../../../base/json.ts'
import { oneLine } from '../../../base/text/one-line.ts'
import type { Parameter, Type } from '../../model.ts'
import { textTypeOf } from '../../values/text-type.ts'
import { isName } from '../name.ts'

/** How deeply a type may nest, and of how many schemas it may be made; what lies beyond is `json`. */
const MAX_LEVELS = 6
const MAX_SCHEMAS = 2000
/** How many options a select may have, and how long each; a longer list is text. */
const MAX_OPTIONS = 500
const LONGEST_OPTION = 200
/** The longest description that a model keeps, in characters. */
const DESCRIPTION = 300

const JSON_TYPE: Type = { kind: 'json' }
const TEXT: Type = { kind: 'string', semantics: 'short' }

/** Reads schemas of one document: its `#/…` references, and the schemas read so far. */
export class SchemaReader {
  readonly #root: Json
  readonly #open = new Set<Json>()
  #read = 0

  /** @param root the document that references are relative to */
  constructor(root: Json) {
    this.#root = root
  }

  /** The properties of an object schema as parameters, in the schema's order; those with unusable names are left out. */
  parameters(schema: Json | undefined): { readonly parameters: readonly Parameter[]; readonly lost: Lost } {
    const whole = this.#whole(schema)
    const required = whole.required
    const parameters: Parameter[] = []
    const lost: { name: string; required: boolean }[] = []
    for (const [name, held] of whole.properties) {
      if (isName(name)) parameters.push(this.#parameter(name, held, required.has(name)))
      else lost.push({ name, required: required.has(name) })
    }
    return { parameters, lost }
  }

  /** The type of a schema's values; `json` for anything that it cannot express. */
  type(schema: Json | undefined, level = 0): Type {
    const found = this.resolved(schema)
    if (!isRecord(found) || level > MAX_LEVELS || this.#open.has(found)) return JSON_TYPE
    if (++this.#read > MAX_SCHEMAS) return JSON_TYPE
    this.#open.add(found)
    try {
      return this.#typeOf(found, level)
    } finally {
      this.#open.delete(found)
    }
  }

  /** The schema behind its references; undefined where one leads nowhere, or out of the document. */
  resolved(schema: Json | undefined): Json | undefined {
    let found = schema
    for (let hops = 0; hops < 16; hops++) {
      const reference = child(found, '$ref')
      if (typeof reference !== 'string') return found
      found = this.#at(reference)
    }
    return undefined
  }

  #at(reference: string): Json | undefined {
    if (reference !== '#' && !reference.startsWith('#/')) return undefined
    const keys = reference.split('/').slice(1)
    let found: Json | undefined = this.#root
    for (const key of keys) found = child(found, key.replaceAll('~1', '/').replaceAll('~0', '~'))
    return found
  }

  #typeOf(schema: Json, level: number): Type {
    const options = optionsOf(schema)
    if (options) return options
    const alternatives = this.#alternatives(schema)
    if (alternatives) {
      const [only, second] = alternatives
      if (only === undefined) return JSON_TYPE
      return second === undefined
        ? this.type(only, level + 1)
        : merged(alternatives.map((one) => this.type(one, level + 1)))
    }
    switch (kindOf(schema)) {
      case 'string':
        return textTypeOf(child(schema, 'format')) ?? TEXT
      case 'integer':
        return { kind: 'integer' }
      case 'number':
        return { kind: 'number' }
      case 'boolean':
        return { kind: 'boolean' }
      case 'array':
        return this.#arrayType(schema, level)
      case 'object':
        return this.#objectType(schema, level)
      default:
        return JSON_TYPE
    }
  }

  /** The schemas of which a value fits any, without that of null; undefined if the schema has no alternatives. */
  #alternatives(schema: Json): readonly Json[] | undefined {
    const listed = child(schema, 'anyOf') ?? child(schema, 'oneOf')
    if (!isList(listed)) return undefined
    return listed.filter((one) => child(this.resolved(one), 'type') !== 'null')
  }

  #arrayType(schema: Json, level: number): Type {
    const items = this.type(child(schema, 'items'), level + 1)
    return items.kind === 'select'
      ? { kind: 'multi_select', options: items.options }
      : { kind: 'array', items }
  }

  #objectType(schema: Json, level: number): Type {
    const { properties, required } = this.#whole(schema)
    if (properties.length === 0 || properties.some(([name]) => !isName(name))) return JSON_TYPE
    const fields = properties.map(([name, held]) =>
      this.#parameter(name, held, required.has(name), level + 1),
    )
    return { kind: 'object', fields, open: child(schema, 'additionalProperties') !== false }
  }

  #parameter(name: string, schema: Json, required: boolean, level = 0): Parameter {
    const description = descriptionOf(this.resolved(schema)) ?? descriptionOf(schema)
    return {
      name,
      type: this.type(schema, level),
      ...(description !== undefined && { description }),
      required,
      role: 'plain',
    }
  }

  /** An object's properties, with those of the schemas that it is composed of. */
  #whole(schema: Json | undefined): Whole {
    const found = this.resolved(schema)
    const parts = child(found, 'allOf')
    const schemas = [found, ...(isList(parts) ? parts.map((one) => this.resolved(one)) : [])]
    const properties = new Map<string, Json>()
    const required = new Set<string>()
    for (const part of schemas) {
      const held = child(part, 'properties')
      if (isRecord(held)) for (const [name, one] of Object.entries(held)) properties.set(name, one)
      const names = child(part, 'required')
      if (isList(names)) for (const name of names) if (typeof name === 'string') required.add(name)
    }
    return { properties: [...properties], required }
  }
}

/** Properties that no program could name. */
export type Lost = readonly { readonly name: string; readonly required: boolean }[]

interface Whole {
  readonly properties: readonly (readonly [string, Json])[]
  readonly required: ReadonlySet<string>
}

/** A description as one bounded line. */
export function descriptionOf(schema: Json | undefined): string | undefined {
  const text = child(schema, 'description')
  const line = typeof text === 'string' ? oneLine(text, DESCRIPTION) : ''
  return line === '' ? undefined : line
}

/** The JSON type that a schema states, or shows by its keywords. */
function kindOf(schema: Json): Json | undefined {
  const type = child(schema, 'type')
  if (isList(type)) {
    const kinds = type.filter((one) => one !== 'null')
    return kinds.length === 1 ? kinds[0] : undefined
  }
  if (type !== undefined) return type
  if (child(schema, 'properties') !== undefined || child(schema, 'allOf') !== undefined) return 'object'
  return child(schema, 'items') === undefined ? undefined : 'array'
}

/** The type of a schema that lists its values. */
function optionsOf(schema: Json): Type | undefined {
  const only = child(schema, 'const')
  const listed = child(schema, 'enum') ?? (only === undefined ? undefined : [only])
  if (!isList(listed)) return undefined
  const values = listed.filter((one) => one !== null)
  const texts = values.filter((one) => typeof one === 'string')
  if (texts.length === values.length)
    return areOptions(texts) ? { kind: 'select', options: [...new Set(texts)] } : TEXT
  if (values.every((one) => typeof one === 'number'))
    return { kind: values.every((one) => Number.isInteger(one)) ? 'integer' : 'number' }
  return values.every((one) => typeof one === 'boolean') ? { kind: 'boolean' } : JSON_TYPE
}

function areOptions(texts: readonly string[]): boolean {
  const isOption = (text: string) => text !== '' && text.length <= LONGEST_OPTION
  return texts.length > 0 && texts.length <= MAX_OPTIONS && texts.every(isOption)
}

/** One type for values of several: the options of all of them, the common one, or `json`. */
function merged(types: readonly Type[]): Type {
  const [first] = types
  if (!first) return JSON_TYPE
  const options = types.flatMap((type) => (type.kind === 'select' ? type.options : []))
  if (types.every(({ kind }) => kind === 'select')) return { kind: 'select', options: [...new Set(options)] }
  const text = JSON.stringify(first)
  return types.every((type) => JSON.stringify(type) === text) ? first : JSON_TYPE
}
