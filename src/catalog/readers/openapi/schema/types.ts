import type { Json } from '../../../../base/canonical.ts'
import { scalarText } from '../../../../base/json.ts'
import type { Parameter, Type, Variant } from '../../../model.ts'
import { describe } from '../prose.ts'
import { isArray } from './located.ts'
import type { Schemas, View } from './view.ts'

/** Longer enumerations would fill a table: their values are text there. */
const MAX_OPTION_TEXT = 400
const MAX_MEMBERS = 40
const DEEPEST = 5

const TEXT: Type = { kind: 'string', semantics: 'short' }
const JSON_VALUE: Type = { kind: 'json' }

/** The type of a scalar: enumeration, date, id, number or text. */
function scalarType(view: View): Type | undefined {
  const { types, format = '' } = view
  const [type] = types
  if (types.includes('string') || (types.length === 0 && view.options)) {
    const options = optionsOf(view)
    if (options) return { kind: 'select', options }
    switch (format) {
      case 'date-time':
        return { kind: 'date', format: 'rfc3339' }
      case 'date':
        return { kind: 'date', format: 'iso8601_date' }
      case 'uuid':
        return { kind: 'uuid' }
      case 'binary':
      case 'byte':
      case 'base64':
        return { kind: 'blob' }
      default:
        return TEXT
    }
  }
  if (type === 'integer') return { kind: 'integer' }
  if (type === 'number') return format.startsWith('int') ? { kind: 'integer' } : { kind: 'number' }
  if (type === 'boolean') return { kind: 'boolean' }
  return undefined
}

function optionsOf({ options = [] }: View): readonly string[] | undefined {
  const texts = options.flatMap((one) => scalarText(one) ?? [])
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const isPlain = texts.length === options.length && texts.every((text) => text.length <= 60)
  return texts.length > 0 && isPlain && length <= MAX_OPTION_TEXT ? [...new Set(texts)] : undefined
}

/** The type of a value that a caller writes. */
export function argumentType(schemas: Schemas, schema: Json | undefined): Type {
  for (let depth = DEEPEST; depth > 0; depth--) {
    const type = new ArgumentTypes(schemas, depth)
    const found = type.of(schema, 0)
    if (type.members <= MAX_MEMBERS) return found
  }
  return JSON_VALUE
}

class ArgumentTypes {
  readonly #schemas: Schemas
  readonly #deepest: number
  /** Views that are being typed: a schema inside itself is JSON. */
  readonly #open = new Set<View>()
  members = 0

  constructor(schemas: Schemas, deepest: number) {
    this.#schemas = schemas
    this.#deepest = deepest
  }

  of(schema: Json | undefined, depth: number): Type {
    const view = this.#schemas.view(schema)
    if (this.#open.has(view) || this.members > MAX_MEMBERS) return JSON_VALUE
    this.#open.add(view)
    const type = this.#of(view, depth)
    this.#open.delete(view)
    return type
  }

  #of(view: View, depth: number): Type {
    if (view.variants.length > 0) return this.#union(view, depth)
    if (isArray(view))
      return depth > this.#deepest ? JSON_VALUE : { kind: 'array', items: this.of(view.items, depth + 1) }
    if (view.properties.size > 0) return this.#object(view, depth)
    return scalarType(view) ?? JSON_VALUE
  }

  #object(view: View, depth: number): Type {
    if (depth >= this.#deepest) return JSON_VALUE
    const fields = this.#fields(view, depth)
    if (view.additional !== undefined) return { kind: 'object', fields, open: true }
    return { kind: 'object', fields, open: false, ...(!view.isClosed && { undeclared: true }) }
  }

  #fields(view: View, depth: number): readonly Parameter[] {
    return [...this.#schemas.properties(view)].flatMap(([name, schema]) => {
      const inner = this.#schemas.view(schema)
      const required = view.required.has(name)
      if (inner.isReadOnly || (inner.isDeprecated && !required)) return []
      this.members++
      const description = describe(inner.description)
      return [
        {
          name,
          type: this.of(schema, depth + 1),
          ...(description !== undefined && { description }),
          required,
          role: 'plain' as const,
        },
      ]
    })
  }

  /** Alternatives: of scalars the widest; of objects with a distinguishing constant a union; else JSON. */
  #union(view: View, depth: number): Type {
    const views = view.variants.map((one) => this.#schemas.view(one))
    const lists = views.filter(isArray)
    const others = views.filter((one) => !isArray(one))
    if (lists.length === 1 && lists[0]?.items !== undefined && others.every((one) => scalarType(one))) {
      return { kind: 'array', items: this.of(lists[0].items, depth + 1) }
    }
    const scalars = views.map(scalarType)
    if (scalars.every((type) => type !== undefined)) return widest(scalars)
    const tagged = depth < this.#deepest ? this.#tagged(view, views, depth) : undefined
    return tagged ?? JSON_VALUE
  }

  #tagged(view: View, views: readonly View[], depth: number): Type | undefined {
    const tag = view.tag ?? commonConstant(this.#schemas, views)
    if (tag === undefined) return undefined
    const variants = views.map((one): Variant | undefined => {
      const value = constantOf(this.#schemas, one, tag) ?? one.name
      if (value === undefined || one.properties.size === 0) return undefined
      const fields = this.#fields(one, depth).filter(({ name }) => name !== tag)
      return { name: value, tag: { field: tag, value }, fields }
    })
    const known = variants.filter((one) => one !== undefined)
    const names = new Set(known.map(({ name }) => name))
    return known.length === views.length && names.size === known.length
      ? { kind: 'union', variants: known }
      : undefined
  }
}

function constantOf(schemas: Schemas, view: View, name: string): string | undefined {
  const { options = [] } = schemas.view(view.properties.get(name))
  return options.length === 1 ? scalarText(options[0]) : undefined
}

/** The property that has one constant in each alternative. */
function commonConstant(schemas: Schemas, views: readonly View[]): string | undefined {
  const [first] = views
  return [...(first?.properties.keys() ?? [])].find((name) =>
    views.every((view) => constantOf(schemas, view, name) !== undefined),
  )
}

function widest(types: readonly Type[]): Type {
  const [first = TEXT] = types
  if (types.every(({ kind }) => kind === first.kind)) {
    const options = types.flatMap((type) => (type.kind === 'select' ? type.options : []))
    return options.length > 0 ? { kind: 'select', options: [...new Set(options)] } : first
  }
  return types.every(({ kind }) => kind === 'integer' || kind === 'number') ? { kind: 'number' } : TEXT
}

/** The type of a value in an answer: objects are JSON, unless they are rows of their own. */
export function fieldType(schemas: Schemas, view: View, depth = 0): Type {
  if (isArray(view)) {
    const items = depth > 0 ? JSON_VALUE : fieldType(schemas, schemas.view(view.items), depth + 1)
    return items.kind === 'json' ? JSON_VALUE : { kind: 'array', items }
  }
  if (view.variants.length > 0) {
    const scalars = view.variants.map((one) => scalarType(schemas.view(one)))
    return scalars.every((type) => type !== undefined) ? widest(scalars) : JSON_VALUE
  }
  if (view.properties.size > 0) return JSON_VALUE
  const type = scalarType(view) ?? JSON_VALUE
  // One constant value is no choice.
  return type.kind === 'select' && type.options.length === 1 ? TEXT : type
}
