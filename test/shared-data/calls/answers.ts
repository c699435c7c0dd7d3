import type { Json } from '../../../src/base/canonical.ts'
import { isRecord, scalarText } from '../../../src/base/json.ts'
import { requestOf } from '../../../src/catalog/call.ts'
import { KEYS, WORDS } from './written.ts'
import { indexOf } from '../../../src/catalog/lookup.ts'
import type { Capability, Catalog, Derive, Entity, Type } from '../../../src/catalog/model.ts'
import type { AnswerShape, Paging } from '../../../src/catalog/calls/http-request.ts'

/** An answer of an API, and the values that its row has to show by field. */
export interface Answered {
  readonly body: Json
  readonly values: Readonly<Record<string, Json>>
}

type Held = { [key: string]: Json }

/** What an API answers to a capability: one row with a value at the place of every field that the capability provides. */
export function answerOf(catalog: Catalog, capability: Capability): Answered {
  const entity = indexOf(catalog).entities.get(capability.entity)
  if (!entity) throw new Error(`no entity ${capability.entity}`)
  const request = requestOf(capability)
  const { row, values } = rowOf(entity, capability, catalog)
  const body = request ? placed(row, request.response, capability) : row
  const reshape = request?.response.reshape
  const shown = reshape?.kind === 'wrap' ? pick(values, reshape.field) : values
  const stopped = request?.paging ? withEnd(body, request.paging) : body
  return { body: stopped, values: shown }
}

function pick(values: Held, name: string): Held {
  const value = values[name]
  return value === undefined ? {} : { [name]: value }
}

function rowOf(
  entity: Entity,
  { provides }: Capability,
  catalog: Catalog,
): { readonly row: Json; readonly values: Held } {
  const row: Held = {}
  const values: Held = {}
  for (const field of entity.fields) {
    if (provides && !provides.includes(field.name) && !entity.key.includes(field.name)) continue
    if (field.path.length === 0) continue
    const value = valueOf(field.type, catalog)
    if (!put(row, field.path, field.derive ? underived(field.derive, value) : value)) continue
    if (field.derive?.type !== 'colon_pair') values[field.name] = value
  }
  if (entity.idFrom) put(row, entity.idFrom, 'id-7')
  return { row, values }
}

/** Puts a value at a path; false if another field stands in the way. */
function put(row: Held, path: readonly string[], value: Json): boolean {
  let held = row
  for (const key of path.slice(0, -1)) {
    const next = (held[key] ??= {})
    if (typeof next !== 'object' || next === null || Array.isArray(next)) return false
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows of this file are objects that it makes
    held = next as Held
  }
  const last = path.at(-1) ?? ''
  if (held[last] !== undefined) return false
  held[last] = value
  return true
}

/** A value as an API answers it. */
function valueOf(type: Type, catalog: Catalog): Json {
  switch (type.kind) {
    case 'string':
      return 'some text'
    case 'uuid':
      return '123e4567-e89b-42d3-a456-426614174000'
    case 'integer':
      return 7
    case 'number':
      return 1.5
    case 'boolean':
      return true
    case 'select':
      return type.options[0] ?? 'some'
    case 'multi_select':
      return type.options.slice(0, 1)
    case 'date':
      return type.format === 'unix_ms'
        ? 1_709_596_800_000
        : type.format === 'unix_sec'
          ? 1_709_596_800
          : '2024-03-05'
    case 'blob':
      return 'aGk='
    case 'reference': {
      const entity = indexOf(catalog).entities.get(type.entity)
      const key = entity?.fields.find(({ name }) => name === entity.key[0])
      return key && key.type.kind !== 'reference' && entity?.key.length === 1
        ? valueOf(key.type, catalog)
        : 'k7'
    }
    case 'array':
      return [valueOf(type.items, catalog)]
    case 'json':
    case 'object':
    case 'union':
      return { a: [1] }
  }
}

/** The value of a field's source from which its rule derives the value. */
function underived(derive: Derive, value: Json): Json {
  switch (derive.type) {
    case 'segment_after_prefix':
      return `${derive.prefixes[0] ?? ''}/${'x/'.repeat(derive.index)}${scalarText(value) ?? ''}/y`
    case 'lookup_in_pairs':
      return [{ [derive.nameField]: derive.equals, [derive.valueField]: value }]
    case 'lookup_key':
      return { [derive.key]: value }
    case 'colon_pair':
      return {}
  }
}

/** The answer around one row. */
function placed(row: Json, response: AnswerShape, { kind }: Capability): Json {
  const { reshape, innerKey } = response
  const one = innerKey === undefined ? row : { [innerKey]: row }
  if (reshape) {
    const { path } = reshape
    switch (reshape.kind) {
      case 'pluck':
        // The element of the argument, whichever it is.
        return around(
          [...WORDS, ...KEYS].map((key) => ({ [reshape.field]: key, [reshape.inner]: [one] })),
          path,
        )
      case 'concat':
        return around([{ [reshape.inner]: [one] }], path)
      case 'wrap':
        return around([child(row, reshape.field)], path)
    }
  }
  const isMany = (kind === 'query' || kind === 'search') && !response.single
  const path = response.path ?? []
  return around(isMany ? [one] : one, path)
}

function child(row: Json, key: string): Json {
  return typeof row === 'object' && row !== null && !Array.isArray(row)
    ? (Object.entries(row).find(([name]) => name === key)?.[1] ?? null)
    : null
}

function around(value: Json, path: readonly (string | number)[]): Json {
  return path
    .toReversed()
    .reduce<Json>(
      (held, key) =>
        typeof key === 'number' ? Array.from({ length: key + 1 }, () => held) : { [key]: held },
      value,
    )
}

/** The field that says that there are no more pages. */
function withEnd(body: Json, { stop, responsePath }: Paging): Json {
  if (!stop || stop.equals === undefined || !isRecord(body)) return body
  const copy: Held = { ...body }
  put(copy, [...responsePath.map(String), stop.field], stop.equals)
  return copy
}
