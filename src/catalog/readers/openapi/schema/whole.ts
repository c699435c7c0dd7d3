import type { Json } from '../../../../base/canonical.ts'
import { recordOf } from '../../../../base/json.ts'
import { refOf } from '../source/refs.ts'
import { isArray, type View } from './view.ts'

/** An object together with its alternatives (`oneOf`, `anyOf`). */
export interface Whole {
  /** A property that alternatives describe differently has the alternatives of them all. */
  readonly properties: ReadonlyMap<string, Json>
  /** What every alternative requires. */
  readonly required: ReadonlySet<string>
  /** Every value is an object, and the document says what is in it. */
  readonly isObject: boolean
}

/** Alternatives inside of alternatives are not read deeper than this. */
const DEEPEST = 3

/** Reads a schema. */
type ViewOf = (schema: Json) => View

/** @param wholeOne the same for an alternative, one level deeper */
export function wholeOf(
  view: View,
  depth: number,
  { viewOf, wholeOne }: { readonly viewOf: ViewOf; readonly wholeOne: (view: View, depth: number) => Whole },
): Whole {
  const isOwn = view.properties.size > 0
  if (view.variants.length === 0 || depth > DEEPEST) {
    const isObject = !isArray(view) && (isOwn || view.required.size > 0)
    return { properties: view.properties, required: view.required, isObject }
  }
  const parts = view.variants.map((one) => wholeOne(viewOf(one), depth + 1))
  const found = new Map<string, Json[]>()
  for (const { properties } of parts) {
    for (const [name, schema] of properties) {
      const held = found.get(name)
      if (!held) found.set(name, [schema])
      else if (!held.some((one) => isSame(one, schema))) held.push(schema)
    }
  }
  const properties = new Map(view.properties)
  for (const [name, held] of found) if (!properties.has(name)) properties.set(name, anyOf(viewOf, held))
  const [first, ...others] = parts
  const shared = [...(first?.required ?? [])].filter((name) =>
    others.every(({ required }) => required.has(name)),
  )
  return {
    properties,
    required: new Set([...view.required, ...shared]),
    isObject: isOwn || (properties.size > 0 && parts.every(({ isObject }) => isObject)),
  }
}

/** A schema that any of these fit. What all of them are, it is as well. */
function anyOf(viewOf: ViewOf, held: readonly Json[]): Json {
  const [first] = held
  if (first === undefined || held.length === 1) return first ?? {}
  const views = held.map(viewOf)
  const description = views.find((one) => one.description !== undefined)?.description
  const flags = [
    ['readOnly', views.every(({ isReadOnly }) => isReadOnly)],
    ['writeOnly', views.every(({ isWriteOnly }) => isWriteOnly)],
    ['deprecated', views.every(({ isDeprecated }) => isDeprecated)],
  ] as const
  return recordOf<Json>([
    ['anyOf', held],
    ...(description === undefined ? [] : [['description', description] as const]),
    ...flags.filter(([, isSaid]) => isSaid),
  ])
}

function isSame(one: Json, other: Json): boolean {
  return one === other || (refOf(one) !== undefined && refOf(one) === refOf(other))
}
