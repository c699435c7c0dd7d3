import type { Json } from '../../../../base/canonical.ts'
import { child, isList, isRecord } from '../../../../base/json.ts'
import type { References } from '../source/refs.ts'
import {
  formatOf,
  isNullable,
  itemsOf,
  listAt,
  mappingOf,
  numberAt,
  tagOf,
  textAt,
  variantsOf,
} from './keywords.ts'
import { ANYTHING, type View } from './view.ts'
import { type Whole, wholeOf } from './whole.ts'

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
  | 'mapping'

/** Deeper nesting of `allOf` is a cycle or an attack. */
const DEEPEST = 16
/** More alternatives than this say nothing that an agent could use. */
const MAX_VARIANTS = 40

/** Views of the schemas of one document. */
export class Schemas {
  readonly refs: References
  readonly #views = new WeakMap<object, View>()
  readonly #wholes = new WeakMap<View, Map<number, Whole>>()

  constructor(refs: References) {
    this.refs = refs
  }

  /** The merged view of a schema. */
  view(schema: Json | undefined): View {
    return this.#view(schema, 0)
  }

  /** The properties of an object, those of its alternatives included. */
  properties(view: View): ReadonlyMap<string, Json> {
    return this.whole(view).properties
  }

  /** An object together with its alternatives. Each is made once a depth: alternatives may share alternatives. */
  whole(view: View, depth = 0): Whole {
    const known = this.#wholes.get(view)?.get(depth)
    if (known) return known
    const viewOf = (schema: Json) => this.view(schema)
    const whole = wholeOf(view, depth, { viewOf, wholeOne: (one, deeper) => this.whole(one, deeper) })
    const made = this.#wholes.get(view) ?? new Map<number, Whole>()
    this.#wholes.set(view, made.set(depth, whole))
    return whole
  }

  /** What holds for one of the alternatives of a schema. */
  joined(view: View, alternative: View): View {
    return merge([{ ...view, variants: [] }, alternative])
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
        mapping: mappingOf(schema),
      }),
      properties: new Map(isRecord(properties) ? Object.entries(properties) : []),
      required: new Set(required),
      variants: variants.length > 1 ? variants.slice(0, MAX_VARIANTS) : [],
      isClosed: additional === false,
      isNullable: isNullable(schema),
      isReadOnly: child(schema, 'readOnly') === true,
      isWriteOnly: child(schema, 'writeOnly') === true,
      isDeprecated: child(schema, 'deprecated') === true,
    }
  }
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
    variants: views.flatMap(({ variants }) => variants),
    isClosed: views.some(({ isClosed }) => isClosed),
    isNullable: views.some(({ isNullable: one }) => one),
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
