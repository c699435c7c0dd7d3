import type { Json } from '../../../../base/canonical.ts'
import { child, isList, isRecord, recordOf } from '../../../../base/json.ts'

/** A list of schemas gives one for each place: any of them may stand anywhere. */
export function itemsOf(schema: Json): Json | undefined {
  const items = child(schema, 'items') ?? child(schema, 'prefixItems')
  return isList(items) ? recordOf([['anyOf', items]]) : items
}

/** 3.1 describes bytes by their encoding, or by a media type that is no text and has no encoding. */
export function formatOf(schema: Json): string | undefined {
  const encoding = textAt(schema, 'contentEncoding')
  if (encoding !== undefined) return encoding === 'base64' ? 'byte' : undefined
  const mediaType = textAt(schema, 'contentMediaType')
  return mediaType === undefined || isTextual(mediaType) ? undefined : 'binary'
}

function isTextual(mediaType: string): boolean {
  return /^text\/|\b(?:json|xml|yaml|csv|javascript|graphql)\b/i.test(mediaType)
}

export function variantsOf(schema: Json): readonly Json[] {
  return [...listAt(schema, 'oneOf'), ...listAt(schema, 'anyOf')].filter(
    (one) => !(isRecord(one) && child(one, 'type') === 'null'),
  )
}

/** In words of 3.0 or of 3.1. */
export function isNullable(schema: Json): boolean {
  const isNull = (one: Json) => isRecord(one) && child(one, 'type') === 'null'
  return (
    child(schema, 'nullable') === true ||
    listAt(schema, 'type').includes('null') ||
    listAt(schema, 'enum').includes(null) ||
    listAt(schema, 'oneOf').some(isNull) ||
    listAt(schema, 'anyOf').some(isNull)
  )
}

/** `{dog: Dog}` of `{dog: '#/components/schemas/Dog'}`. */
export function mappingOf(schema: Json): ReadonlyMap<string, string> | undefined {
  const mapping = child(child(schema, 'discriminator'), 'mapping')
  if (!isRecord(mapping)) return undefined
  return new Map(
    Object.entries(mapping).flatMap(([value, target]) =>
      typeof target === 'string' ? [[value, target.slice(target.lastIndexOf('/') + 1)] as const] : [],
    ),
  )
}

export function tagOf(schema: Json): string | undefined {
  const discriminator = child(schema, 'discriminator')
  return typeof discriminator === 'string' ? discriminator : textAt(discriminator, 'propertyName')
}

export function listAt(value: Json | undefined, key: string): readonly Json[] {
  const held = child(value, key)
  return isList(held) ? held : []
}

export function textAt(value: Json | undefined, key: string): string | undefined {
  const held = child(value, key)
  return typeof held === 'string' && held.trim() !== '' ? held : undefined
}

export function numberAt(value: Json, key: string): number | undefined {
  const held = child(value, key)
  return typeof held === 'number' ? held : undefined
}
