import { scalarText } from '../../../../base/json.ts'
import type { Schemas } from './schemas.ts'
import type { View } from './view.ts'

/** A tag with more values than this is no choice that an agent could read. */
const MAX_TAG_VALUES = 40

/** An alternative of a schema, and the values of the tag that stand for it. */
export interface Tagged {
  readonly view: View
  readonly values: readonly string[]
}

/**
 * The alternatives by the property that tells them apart: the discriminator of the document, or one whose constants differ.
 * Undefined if there is none, or if its values do not decide.
 */
export function taggedBy(
  schemas: Schemas,
  view: View,
): { readonly tag: string; readonly alternatives: readonly Tagged[] } | undefined {
  const views = view.variants.map((one) => schemas.view(one))
  const tag =
    view.tag ?? [...(views[0]?.properties.keys() ?? [])].find((name) => isDecisive(schemas, views, name))
  if (tag === undefined) return undefined
  const alternatives = views.map((one) => ({ view: one, values: valuesOf(schemas, view, one, tag) }))
  return areDistinct(alternatives) ? { tag, alternatives } : undefined
}

function isDecisive(schemas: Schemas, views: readonly View[], name: string): boolean {
  return areDistinct(views.map((view) => ({ view, values: constantsOf(schemas, view, name) })))
}

function areDistinct(alternatives: readonly Tagged[]): boolean {
  const all = alternatives.flatMap(({ values }) => values)
  return (
    alternatives.every(({ view, values }) => values.length > 0 && view.properties.size > 0) &&
    new Set(all).size === all.length
  )
}

/** The mapping of the discriminator, else the constants of the alternative, else its name. */
function valuesOf(schemas: Schemas, { mapping }: View, one: View, tag: string): readonly string[] {
  const mapped = [...(mapping ?? [])].filter(([, name]) => name === one.name).map(([value]) => value)
  if (mapped.length > 0) return mapped.slice(0, MAX_TAG_VALUES)
  const constants = constantsOf(schemas, one, tag)
  return constants.length > 0 ? constants : one.name === undefined ? [] : [one.name]
}

function constantsOf(schemas: Schemas, view: View, name: string): readonly string[] {
  const { options = [] } = schemas.view(view.properties.get(name))
  const texts = options.flatMap((one) => (typeof one === 'object' ? [] : (scalarText(one) ?? [])))
  return texts.length === options.length && texts.length <= MAX_TAG_VALUES ? texts : []
}
