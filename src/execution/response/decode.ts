import type { Json } from '../../base/canonical.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Catalog, Entity, Field } from '../../catalog/model.ts'
import { child, isRecord, recordOf, scalarText, walk } from '../path.ts'
import type { LiveRow } from '../run.ts'
import { derived } from './derive.ts'

/** What a row may be completed from besides its own JSON. */
export interface Decoding {
  readonly catalog: Catalog
  readonly entity: Entity
  /** The identity that was asked for: it holds where the answer does not repeat it. */
  readonly requested?: Readonly<Record<string, string>>
  /** The requested identity holds even if the answer names another: updates and actions. */
  readonly forced?: boolean
  /** Arguments of the call, for the missing parts of a compound key. */
  readonly ambient: ReadonlyMap<string, Json>
}

export type Decoded = { readonly row: LiveRow } | { readonly bad: string }

const OTHER_ID_KEYS = ['id', '_id', 'uuid', 'key', 'objectID']

/** One row: the declared fields by their paths and rules, as the API wrote them, and whose row it is. */
export function decodeRow(raw: Json, decoding: Decoding): Decoded {
  const { entity } = decoding
  const scalar = scalarText(raw)
  if (!isRecord(raw) && scalar === undefined) return { bad: 'a row is neither an object nor an id' }
  const values: (readonly [string, Json])[] = []
  if (isRecord(raw)) {
    for (const field of entity.fields) {
      const value = fieldValue(raw, field, decoding.catalog)
      if (value !== undefined) values.push([field.name, value])
    }
  }
  const identity = identify(raw, recordOf(values), decoding)
  if (values.length === 0 && !identity) return { bad: `a row holds none of the fields of ${entity.name}` }
  const known = new Set(values.map(([name]) => name))
  const filled = Object.entries(identity ?? {}).filter(([name]) => !known.has(name))
  const row = {
    values: recordOf([
      ...filled.map(([name, text]) => [name, backFilled(entity, name, text)] as const),
      ...values,
    ]),
  }
  return { row: { ...row, ...(identity && { identity }), raw, ambient: decoding.ambient } }
}

function fieldValue(raw: Json, field: Field, catalog: Catalog): Json | undefined {
  const found = walk(raw, field.path)
  const value = found === undefined || !field.derive || found === null ? found : derived(field.derive, found)
  return field.type.kind === 'reference' && isRecord(value)
    ? referenceValue(value, field.type.entity, catalog)
    : value
}

/** An embedded object where a reference stands is shown as the id that it carries; the rest stays in the raw row. */
function referenceValue(value: Json, entity: string, catalog: Catalog): Json {
  const key = indexOf(catalog).entities.get(entity)?.key ?? []
  const slots = key.map((name) => [name, child(value, name)] as const)
  if (slots.length === 0 || slots.some(([, held]) => scalarText(held) === undefined)) return value
  const [only] = slots
  if (slots.length === 1) return only?.[1] ?? value
  return recordOf(slots.map(([name, held]) => [name, held ?? null]))
}

/** Whose row it is: first what was asked for (where that rules), then the row's own id, then what the call knew. */
function identify(
  raw: Json,
  values: { readonly [key: string]: Json },
  decoding: Decoding,
): Readonly<Record<string, string>> | undefined {
  const { entity, requested, forced } = decoding
  const rules =
    forced === true || entity.implicitIdentity || (entity.key.length === 1 && entity.key[0] === 'url')
  if (requested && rules) return requested
  return (
    (entity.key.length === 1 ? simpleIdentity(raw, values, entity) : compoundIdentity(values, decoding)) ??
    requested
  )
}

function simpleIdentity(
  raw: Json,
  values: { readonly [key: string]: Json },
  entity: Entity,
): Readonly<Record<string, string>> | undefined {
  const [key] = entity.key
  if (key === undefined) return undefined
  const candidates = isRecord(raw)
    ? [
        entity.idFrom ? walk(raw, entity.idFrom) : undefined,
        child(values, key),
        ...[key, ...OTHER_ID_KEYS].map((name) => child(raw, name)),
      ]
    : [raw]
  const id = candidates.find((candidate) => typeof candidate === 'string' || typeof candidate === 'number')
  return id === undefined || id === '' ? undefined : { [key]: String(id) }
}

function compoundIdentity(
  values: { readonly [key: string]: Json },
  { entity, ambient, requested }: Decoding,
) {
  const parts = entity.key.map((name) => {
    const known = scalarText(child(values, name)) ?? scalarText(ambient.get(name)) ?? requested?.[name]
    return [name, known] as const
  })
  const complete = parts.flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : [[name, text] as const],
  )
  return complete.length === parts.length && parts.length > 0 ? Object.fromEntries(complete) : undefined
}

/** An id that the fields lack is shown as well: as a number where its field is one. */
function backFilled(entity: Entity, name: string, text: string): Json {
  const kind = entity.fields.find((field) => field.name === name)?.type.kind
  return (kind === 'integer' || kind === 'number') && String(Number(text)) === text ? Number(text) : text
}

/** The columns of decoded rows: the entity's fields that any of them holds (all of them where there are no rows). */
export function columnsOf(entity: Entity, rows: readonly LiveRow[]): readonly string[] {
  const fields = entity.fields.map((field) => field.name)
  if (rows.length === 0) return fields
  const held = new Set(rows.flatMap((row) => Object.keys(row.values)))
  return [
    ...entity.key.filter((name) => held.has(name) && !fields.includes(name)),
    ...fields.filter((name) => held.has(name)),
  ]
}
