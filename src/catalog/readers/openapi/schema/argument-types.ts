import type { Json } from '../../../../base/canonical.ts'
import type { Parameter, Type, Variant } from '../../../model.ts'
import { describe } from '../prose.ts'
import { taggedBy } from './alternatives.ts'
import { jsonOf, mixed } from './json-of.ts'
import { commonType, JSON_VALUE, listOf, scalarType, TEXT } from './scalars.ts'
import type { Schemas } from './schemas.ts'
import { isArray, type View } from './view.ts'

const MAX_MEMBERS = 40
const DEEPEST = 5
/** Alternatives of alternatives could be read without end: one type is made of so many schemas at most. */
const MAX_SCHEMAS = 200

/** The type of a value in a body that a caller writes. */
export function argumentType(schemas: Schemas, schema: Json | undefined): Type {
  for (let depth = DEEPEST; depth > 0; depth--) {
    const type = new ArgumentTypes(schemas, depth)
    const found = type.of(schema, 0)
    if (!type.isTooLarge) return found
  }
  return jsonOf(schemas, schemas.view(schema))
}

/** The type of a parameter of a path, a query or a header, where scalars of all kinds are sent as text. */
export function parameterType(schemas: Schemas, schema: Json | undefined): Type {
  const type = argumentType(schemas, schema)
  return type.kind === 'json' && type.text === true ? TEXT : type
}

class ArgumentTypes {
  readonly #schemas: Schemas
  readonly #deepest: number
  /** Views that are being typed: a schema inside itself is JSON. */
  readonly #open = new Set<View>()
  #members = 0
  #read = 0

  constructor(schemas: Schemas, deepest: number) {
    this.#schemas = schemas
    this.#deepest = deepest
  }

  get isTooLarge(): boolean {
    return this.#members > MAX_MEMBERS || this.#read > MAX_SCHEMAS
  }

  of(schema: Json | undefined, depth: number): Type {
    this.#read++
    if (this.isTooLarge) return JSON_VALUE
    const view = this.#schemas.view(schema)
    if (this.#open.has(view)) return JSON_VALUE
    this.#open.add(view)
    const type = this.#of(view, depth)
    this.#open.delete(view)
    return type
  }

  #json(view: View): Type {
    return jsonOf(this.#schemas, view)
  }

  #of(view: View, depth: number): Type {
    if (view.variants.length > 0) return this.#alternatives(view, depth)
    if (view.types.length > 1) {
      const types = view.types.map((type) => this.#ofType({ ...view, types: [type] }, depth))
      return commonType(types) ?? mixed(types)
    }
    if (view.properties.size > 0 && !isArray(view)) return this.#object(view, depth)
    return this.#ofType(view, depth)
  }

  /** The type of a schema that declares one type at most. */
  #ofType(view: View, depth: number): Type {
    if (isArray(view))
      return depth > this.#deepest
        ? this.#json(view)
        : { kind: 'array', items: this.of(view.items, depth + 1) }
    return view.types[0] === 'object' && view.properties.size > 0
      ? this.#object(view, depth)
      : (scalarType(view) ?? this.#json(view))
  }

  #object(view: View, depth: number): Type {
    if (depth >= this.#deepest) return this.#json(view)
    const fields = this.#fields(view, depth)
    if (view.additional !== undefined) return { kind: 'object', fields, open: true }
    return { kind: 'object', fields, open: false, ...(!view.isClosed && { undeclared: true }) }
  }

  #fields(view: View, depth: number): readonly Parameter[] {
    const needed = this.#schemas.whole(view).required
    return [...this.#schemas.properties(view)].flatMap(([name, schema]) => {
      const inner = this.#schemas.view(schema)
      const required = needed.has(name)
      if (inner.isReadOnly || (inner.isDeprecated && !required)) return []
      this.#members++
      const description = describe(inner.description)
      return [
        {
          name,
          type: this.of(schema, depth + 1),
          ...(description !== undefined && { description }),
          required,
          ...(required && inner.isNullable && { nullable: true as const }),
          role: 'plain' as const,
        },
      ]
    })
  }

  /** Alternatives: objects with a tag are a union, others one object with the members of all; else one type, or JSON. */
  #alternatives(view: View, depth: number): Type {
    if (this.#schemas.whole(view).isObject) return this.#tagged(view, depth) ?? this.#object(view, depth)
    const types = view.variants.map((one) => this.of(one, depth + 1))
    return commonType(types) ?? listOf(types) ?? mixed(types)
  }

  #tagged(view: View, depth: number): Type | undefined {
    const found = depth < this.#deepest ? taggedBy(this.#schemas, view) : undefined
    if (!found) return undefined
    const { tag, alternatives } = found
    const variants = alternatives.flatMap(({ view: one, values }): readonly Variant[] => {
      const whole = this.#schemas.joined(view, one)
      const fields = this.#fields(whole, depth).filter(({ name }) => name !== tag)
      const isLoose = !whole.isClosed && { undeclared: true as const }
      return values.map((value) => ({ name: value, tag: { field: tag, value }, fields, ...isLoose }))
    })
    return { kind: 'union', variants }
  }
}
