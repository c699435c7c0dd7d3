import type { ExactJson, Json } from '../../../base/canonical.ts'
import { indexOf } from '../../../catalog/lookup.ts'
import type { Catalog, Entity, Field } from '../../../catalog/model.ts'
import { child, isRecord, recordOf, scalarText, setOwn, walk } from '../../../base/json.ts'
import type { LiveRow } from '../../row.ts'
import { derived } from './derive.ts'

/** The sources of a row besides its own JSON. */
export interface Decoding {
  readonly catalog: Catalog
  readonly entity: Entity
  /** The requested identity, which is used if the answer does not repeat it. */
  readonly requested?: Readonly<Record<string, string>>
  /** The requested identity is used even if the answer has another: for updates and actions. */
  readonly forced?: boolean
  /** Arguments of the call, for the missing parts of a compound key. */
  readonly ambient: ReadonlyMap<string, ExactJson>
}

export type Decoded = { readonly row: LiveRow } | { readonly bad: string }

const OTHER_ID_KEYS = ['id', '_id', 'uuid', 'key', 'objectID']

/** One row: the declared fields by their paths and rules, in the API's values, and the row's identity. */
export function decodeRow(raw: Json, decoding: Decoding): Decoded {
  const { entity } = decoding
  const scalar = scalarText(raw)
  if (!isRecord(raw) && scalar === undefined) return { bad: 'a row is neither an object nor an id' }
  const read = fieldValues(raw, decoding)
  const identity = identify(raw, read, decoding)
  if (!identity) {
    if (Object.keys(read).length === 0) return { bad: `a row holds none of the fields of ${entity.name}` }
    return { row: { values: read, raw, ambient: decoding.ambient } }
  }
  const missing = Object.keys(identity).filter((name) => !Object.hasOwn(read, name))
  const values = missing.length === 0 ? read : backFilled(missing, identity, read, entity)
  return { row: { values, identity, raw, ambient: decoding.ambient } }
}

/** The declared fields of a row, in the order of the entity. */
function fieldValues(raw: Json, { entity, catalog }: Decoding): { readonly [key: string]: Json } {
  const values: { [key: string]: Json } = {}
  for (const field of entity.fields) {
    const value = fieldValue(raw, field, catalog)
    if (value !== undefined) setOwn(values, field.name, value)
  }
  return values
}

function fieldValue(raw: Json, field: Field, catalog: Catalog): Json | undefined {
  const [key] = field.path
  const found = key !== undefined && field.path.length === 1 ? child(raw, key) : walk(raw, field.path)
  const isDerived = field.derive && found !== undefined && found !== null
  const value = isDerived ? typed(derived(field.derive, found), field.type) : found
  return field.type.kind === 'reference' && isRecord(value)
    ? referenceValue(value, field.type.entity, catalog)
    : value
}

/** A part of a text is text: digits are a number where the field is one. */
function typed(value: Json | undefined, { kind }: Field['type']): Json | undefined {
  const isNumber = (kind === 'integer' || kind === 'number') && typeof value === 'string'
  return isNumber && String(Number(value)) === value ? Number(value) : value
}

/** An embedded object in place of a reference is shown as its id; the rest stays in the raw row. */
function referenceValue(value: Json, entity: string, catalog: Catalog): Json {
  const key = indexOf(catalog).entities.get(entity)?.key ?? []
  const slots = key.map((name) => [name, child(value, name)] as const)
  if (slots.length === 0 || slots.some(([, held]) => scalarText(held) === undefined)) return value
  const [only] = slots
  if (slots.length === 1) return only?.[1] ?? value
  return recordOf(slots.map(([name, held]) => [name, held ?? null]))
}

/** The identity of a row: the requested one (if it has precedence), then the row's own id, then the arguments of the call. */
function identify(
  raw: Json,
  values: { readonly [key: string]: Json },
  decoding: Decoding,
): Readonly<Record<string, string>> | undefined {
  const { entity, requested, forced } = decoding
  const rules =
    forced === true ||
    entity.implicitIdentity ||
    (entity.key.length === 1 && entity.key[0] === 'url') ||
    // A scalar is what was asked about the row, not another row's id.
    !isRecord(raw)
  if (requested && rules) return requested
  return (
    (entity.key.length === 1
      ? simpleIdentity(raw, values, entity)
      : compoundIdentity(raw, values, decoding)) ?? requested
  )
}

function simpleIdentity(
  raw: Json,
  values: { readonly [key: string]: Json },
  entity: Entity,
): Readonly<Record<string, string>> | undefined {
  const [key] = entity.key
  if (key === undefined) return undefined
  const id = isRecord(raw)
    ? (idOf(entity.idFrom && walk(raw, entity.idFrom)) ??
      idOf(child(values, key)) ??
      idOf(child(raw, key)) ??
      firstId(raw))
    : idOf(raw)
  return id === undefined || id === '' ? undefined : { [key]: String(id) }
}

function idOf(value: Json | undefined): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function firstId(raw: Json): string | number | undefined {
  return OTHER_ID_KEYS.map((name) => idOf(child(raw, name))).find((id) => id !== undefined)
}

/** The last part of the key is the row's own. */
function compoundIdentity(
  raw: Json,
  values: { readonly [key: string]: Json },
  { entity, ambient, requested }: Decoding,
) {
  const own = entity.idFrom && scalarText(walk(raw, entity.idFrom))
  const last = entity.key.at(-1)
  const parts = entity.key.map((name) => {
    const held = scalarText(child(values, name)) ?? (name === last ? own : undefined)
    const known = held ?? scalarText(ambient.get(name)) ?? requested?.[name]
    return [name, known] as const
  })
  const complete = parts.flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : [[name, text] as const],
  )
  return complete.length === parts.length && parts.length > 0 ? Object.fromEntries(complete) : undefined
}

/** Adds the parts of an id that the fields lack, before them: as numbers if their fields are numbers. */
function backFilled(
  missing: readonly string[],
  identity: Readonly<Record<string, string>>,
  values: { readonly [key: string]: Json },
  entity: Entity,
): { readonly [key: string]: Json } {
  const filled = missing.map((name): [string, Json] => {
    const text = identity[name] ?? ''
    const kind = entity.fields.find((field) => field.name === name)?.type.kind
    const isNumber = (kind === 'integer' || kind === 'number') && String(Number(text)) === text
    return [name, isNumber ? Number(text) : text]
  })
  return recordOf([...filled, ...Object.entries(values)])
}

/** The columns of decoded rows: the entity's fields with a value in any row (all fields if there are no rows). */
export function columnsOf(entity: Entity, rows: readonly LiveRow[]): readonly string[] {
  const fields = entity.fields.map((field) => field.name)
  if (rows.length === 0) return fields
  const held = new Set<string>()
  for (const { values } of rows) {
    for (const name of Object.keys(values)) held.add(name)
  }
  return [
    ...entity.key.filter((name) => held.has(name) && !fields.includes(name)),
    ...fields.filter((name) => held.has(name)),
  ]
}
