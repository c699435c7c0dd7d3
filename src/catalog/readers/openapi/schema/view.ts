import type { Json } from '../../../../base/canonical.ts'
import { child, isList, isRecord, recordOf } from '../../../../base/json.ts'
import type { References } from '../source/refs.ts'

/** A schema with its references and `allOf` merged, one level deep: its parts are still as the document has them. */
export interface View {
  /** The component that the schema is or refers to. */
  readonly name?: string
  /** Without `null`; empty if the schema does not say. */
  readonly types: readonly string[]
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly options?: readonly Json[]
  readonly example?: Json
  readonly fallback?: Json
  readonly minimum?: number
  readonly maximum?: number
  readonly properties: ReadonlyMap<string, Json>
  readonly required: ReadonlySet<string>
  readonly items?: Json
  /** The schema of further properties; true if they are allowed in so many words. */
  readonly additional?: Json
  /** Alternatives (`oneOf`, `anyOf`) besides null, if there are several. */
  readonly variants: readonly Json[]
  /** The property that tells the variants apart. */
  readonly tag?: string
  /** `additionalProperties: false` */
  readonly isClosed: boolean
  readonly isReadOnly: boolean
  readonly isWriteOnly: boolean
  readonly isDeprecated: boolean
}

/** What a schema may say or leave open. */
type Said =
  | 'format'
  | 'title'
  | 'description'
  | 'options'
  | 'example'
  | 'fallback'
  | 'minimum'
  | 'maximum'
  | 'items'
  | 'additional'
  | 'tag'

/** Deeper nesting of `allOf` is a cycle or an attack. */
const DEEPEST = 16
/** More alternatives than this say nothing that an agent could use. */
const MAX_VARIANTS = 40

export const ANYTHING: View = {
  types: [],
  properties: new Map(),
  required: new Set(),
  variants: [],
  isClosed: false,
  isReadOnly: false,
  isWriteOnly: false,
  isDeprecated: false,
}

/** Views of the schemas of one document. */
export class Schemas {
  readonly refs: References
  readonly #views = new WeakMap<object, View>()

  constructor(refs: References) {
    this.refs = refs
  }

  /** The merged view of a schema. */
  view(schema: Json | undefined): View {
    return this.#view(schema, 0)
  }

  /** The properties of an object, those of its alternatives included. */
  properties(view: View, depth = 0): ReadonlyMap<string, Json> {
    if (view.variants.length === 0 || depth > 3) return view.properties
    const all = new Map(view.properties)
    for (const variant of view.variants) {
      for (const [name, schema] of this.properties(this.view(variant), depth + 1))
        if (!all.has(name)) all.set(name, schema)
    }
    return all
  }

  #view(schema: Json | undefined, depth: number): View {
    if (!isRecord(schema) || depth > DEEPEST) return ANYTHING
    const known = this.#views.get(schema)
    if (known) return known
    // A schema that contains itself through `allOf` sees nothing there.
    this.#views.set(schema, ANYTHING)
    const view = this.#made(schema, depth)
    this.#views.set(schema, view)
    return view
  }

  #made(schema: { readonly [key: string]: Json }, depth: number): View {
    const own = this.#own(schema)
    const { value: target, name } = this.refs.resolve(schema)
    const referred = target !== undefined && target !== schema ? this.#view(target, depth + 1) : undefined
    const parts = [
      ...listAt(schema, 'allOf').map((part) => this.#view(part, depth + 1)),
      ...this.#alternatives(schema, depth),
    ]
    // What stands beside a reference says more about this place than the component does.
    const merged = merge([...(referred ? [referred] : []), ...parts, own])
    const only = parts.length === 1 && own.properties.size === 0 ? parts[0]?.name : undefined
    const named = name ?? only
    return named === undefined ? withoutName(merged) : { ...merged, name: named }
  }

  /** The single alternative besides null, if there is only one. */
  #alternatives(schema: { readonly [key: string]: Json }, depth: number): readonly View[] {
    const found = variantsOf(schema)
    return found.length === 1 ? found.map((one) => this.#view(one, depth + 1)) : []
  }

  #own(schema: { readonly [key: string]: Json }): View {
    const said = child(schema, 'type')
    const all = typeof said === 'string' ? [said] : isList(said) ? said : []
    const types = all.filter((type) => typeof type === 'string').filter((type) => type !== 'null')
    const constant = child(schema, 'const')
    const options = constant === undefined ? listAt(schema, 'enum') : [constant]
    const properties = child(schema, 'properties')
    const required = listAt(schema, 'required').filter((one) => typeof one === 'string')
    const variants = variantsOf(schema)
    const additional = child(schema, 'additionalProperties')
    const [example] = [child(schema, 'example'), ...listAt(schema, 'examples')].filter(
      (one) => one !== undefined,
    )
    const text = (key: string) => textAt(schema, key)
    return {
      types,
      ...defined<Pick<View, Said>>({
        format: text('format') ?? formatOf(schema),
        title: text('title'),
        description: text('description'),
        options: options.length > 0 ? options.filter((one) => one !== null) : undefined,
        example,
        fallback: child(schema, 'default'),
        minimum: numberAt(schema, 'minimum'),
        maximum: numberAt(schema, 'maximum'),
        items: itemsOf(schema),
        additional: additional === false ? undefined : additional,
        tag: tagOf(schema),
      }),
      properties: new Map(isRecord(properties) ? Object.entries(properties) : []),
      required: new Set(required),
      variants: variants.length > 1 ? variants.slice(0, MAX_VARIANTS) : [],
      isClosed: additional === false,
      isReadOnly: child(schema, 'readOnly') === true,
      isWriteOnly: child(schema, 'writeOnly') === true,
      isDeprecated: child(schema, 'deprecated') === true,
    }
  }
}

/** A list of schemas gives one for each place: any of them may stand anywhere. */
function itemsOf(schema: Json): Json | undefined {
  const items = child(schema, 'items') ?? child(schema, 'prefixItems')
  return isList(items) ? recordOf([['anyOf', items]]) : items
}

/** 3.1 describes bytes by their encoding. */
function formatOf(schema: Json): string | undefined {
  return textAt(schema, 'contentEncoding') === 'base64' ? 'byte' : undefined
}

function variantsOf(schema: Json): readonly Json[] {
  return [...listAt(schema, 'oneOf'), ...listAt(schema, 'anyOf')].filter(
    (one) => !(isRecord(one) && child(one, 'type') === 'null'),
  )
}

function tagOf(schema: Json): string | undefined {
  const discriminator = child(schema, 'discriminator')
  return typeof discriminator === 'string' ? discriminator : textAt(discriminator, 'propertyName')
}

function merge(views: readonly View[]): View {
  const [only, ...more] = views
  if (only && more.length === 0) return only
  const properties = new Map<string, Json>()
  for (const view of views) for (const [name, schema] of view.properties) properties.set(name, schema)
  const merged: View = Object.assign({}, ...views)
  return {
    ...merged,
    types: [...new Set(views.flatMap(({ types }) => types))],
    properties,
    required: new Set(views.flatMap(({ required }) => [...required])),
    variants: views.findLast(({ variants }) => variants.length > 0)?.variants ?? [],
    isClosed: views.some(({ isClosed }) => isClosed),
    isReadOnly: views.some(({ isReadOnly }) => isReadOnly),
    isWriteOnly: views.some(({ isWriteOnly }) => isWriteOnly),
    isDeprecated: views.some(({ isDeprecated }) => isDeprecated),
  }
}

function withoutName({ name: _name, ...view }: View): View {
  return view
}

/** The keys that have a value. */
function defined<Values extends object>(values: {
  [Key in keyof Values]: Values[Key] | undefined
}): Partial<Values> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries without a value are what is left out
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Values>
}

export function listAt(value: Json | undefined, key: string): readonly Json[] {
  const held = child(value, key)
  return isList(held) ? held : []
}

export function textAt(value: Json | undefined, key: string): string | undefined {
  const held = child(value, key)
  return typeof held === 'string' && held.trim() !== '' ? held : undefined
}

function numberAt(value: Json, key: string): number | undefined {
  const held = child(value, key)
  return typeof held === 'number' ? held : undefined
}
