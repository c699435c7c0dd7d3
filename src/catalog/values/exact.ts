import { parse } from 'lossless-json'
import type { ExactJson, Json } from '../../base/canonical.ts'
import { child, digitsAsText, isList, isRecord, jsonText, recordOf } from '../../base/json.ts'
import { indexOf, keySlotsOf } from '../lookup.ts'
import type { Catalog, Parameter, Type } from '../model.ts'

/**
 * A fitted value as it is sent: digits that it holds as text in the slot of a number, because a double would lose some of
 * them, become that number.
 */
export function exactValue(type: Type, value: ExactJson, catalog: Catalog | undefined): ExactJson {
  switch (type.kind) {
    case 'integer':
    case 'number':
      return typeof value === 'string' ? exactNumber(value) : value
    case 'array':
      return isList(value) ? value.map((item) => exactValue(type.items, item, catalog)) : value
    case 'object':
      return isRecord(value) ? exactFields(type.fields, value, catalog) : value
    case 'union': {
      const variant = type.variants.find(({ tag }) => child(value, tag.field) === tag.value)
      return variant && isRecord(value) ? exactFields(variant.fields, value, catalog) : value
    }
    case 'reference':
      return exactKey(type.entity, value, catalog)
    default:
      return value
  }
}

/** The number that the digits state; other text stays as it is. */
export function exactNumber(text: string): ExactJson {
  const number = Number(text)
  if (/^-?\d+$/.test(text) && !Number.isSafeInteger(number)) return BigInt(text)
  return text.trim() === '' || !Number.isFinite(number) ? text : number
}

/** JSON text with all digits of its integers; undefined for other text. */
export function parseExact(text: string): ExactJson | undefined {
  try {
    const value: unknown = parse(text, undefined, {
      parseNumber: exactNumber,
      onDuplicateKey: ({ newValue }) => newValue,
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- numbers are the only thing that it parses our way
    return value as ExactJson
  } catch {
    return undefined
  }
}

/**
 * The value as plain data that the same slot fits to the same value again: text of JSON where a part of it is an integer that
 * a double cannot hold.
 */
export function keptJson(value: ExactJson): Json {
  return holdsBigint(value) ? jsonText(value) : digitsAsText(value)
}

function holdsBigint(value: ExactJson): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint'
  return Object.values(value).some(holdsBigint)
}

/** An id is a number where the key of its entity is one. */
function exactKey(entity: string, value: ExactJson, catalog: Catalog | undefined): ExactJson {
  const referred = catalog && indexOf(catalog).entities.get(entity)
  const key = (referred ? keySlotsOf(referred) : []).filter(({ type }) => type.kind === 'integer')
  if (isRecord(value)) return exactFields(key, value, catalog)
  const [only] = key
  return only && referred?.key.length === 1 ? exactValue(only.type, value, catalog) : value
}

function exactFields(
  fields: readonly Pick<Parameter, 'name' | 'type'>[],
  value: { readonly [key: string]: ExactJson },
  catalog: Catalog | undefined,
): ExactJson {
  return recordOf(
    Object.entries(value).map(([name, held]): [string, ExactJson] => {
      const field = fields.find((one) => one.name === name)
      return [name, field ? exactValue(field.type, held, catalog) : held]
    }),
  )
}
