import type { ExactJson } from '../../../base/canonical.ts'
import { base64Of } from '../../../catalog/values/blob.ts'
import type { Parameter, Type, Variant } from '../../../catalog/model.ts'
import { child, isList, isRecord, recordOf } from '../../../base/json.ts'

/** A checked value in the shape of the API: adds tags of unions, encodes bytes, nests values and wraps one-object lists. */
export function lowerValue(type: Type, value: ExactJson): ExactJson {
  if (value === null) return null
  if (type.kind === 'blob') return base64Of(value, type.url === true)
  if (type.kind === 'array' && isList(value)) return value.map((item) => lowerValue(type.items, item))
  if (type.kind === 'object' && isRecord(value)) return lowerFields(type.fields, value, [])
  if (type.kind !== 'union' || !isRecord(value)) return value
  const variant = type.variants.find((one) => child(value, one.tag.field) === one.tag.value)
  return variant ? lowerVariant(variant, value) : value
}

function lowerVariant(variant: Variant, value: { readonly [key: string]: ExactJson }): ExactJson {
  return lowerFields(variant.fields, value, [[variant.tag.field, variant.tag.value]])
}

function lowerFields(
  fields: readonly Parameter[],
  value: { readonly [key: string]: ExactJson },
  first: readonly (readonly [string, ExactJson])[],
): ExactJson {
  const out: { [key: string]: ExactJson } = Object.create(null)
  for (const [name, held] of first) out[name] = held
  for (const [name, held] of Object.entries(value)) {
    if (first.some(([tag]) => tag === name)) continue
    const field = fields.find((candidate) => candidate.name === name)
    if (field) lowerInto(out, field, held)
    else out[name] = held
  }
  return recordOf(Object.entries(out))
}

/** Sets a parameter's value at its path in the object that holds it. */
export function lowerInto(
  target: { [key: string]: ExactJson },
  parameter: Parameter,
  value: ExactJson,
): void {
  const lowered = lowerValue(parameter.type, value)
  const wrapped =
    parameter.wireElementKey === undefined || value === null
      ? lowered
      : wrapElements(parameter.wireElementKey, lowered)
  const path = parameter.wirePath ?? [parameter.name]
  let holder = target
  for (const key of path.slice(0, -1)) {
    const held = child(holder, key)
    const inner: { [key: string]: ExactJson } = Object.assign(Object.create(null), isRecord(held) ? held : {})
    holder[key] = inner
    holder = inner
  }
  holder[path.at(-1) ?? parameter.name] = wrapped
}

function wrapElements(key: string, value: ExactJson): ExactJson {
  return (isList(value) ? value : [value]).map((item) => ({ [key]: item }))
}
