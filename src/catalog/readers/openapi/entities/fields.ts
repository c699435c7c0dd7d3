import type { Json } from '../../../../base/canonical.ts'
import type { Field, Type } from '../../../model.ts'
import { describe } from '../prose.ts'
import { isScalar } from '../schema/located.ts'
import { argumentType, fieldType } from '../schema/types.ts'
import type { Schemas, View } from '../schema/view.ts'
import { singularWords, wordsOf } from '../words.ts'
import type { Book } from './book.ts'
import type { Draft } from './draft.ts'

/** More columns than this are of no use in a table. */
const MOST_FIELDS = 120

/** The fields of an entity: its key, what answers show of it, and the value of answers that are no objects. */
export function fieldsOf(draft: Draft, book: Book, schemaOf: (argument: string) => Json | undefined): readonly Field[] {
  const { schemas } = book
  const fields = new Map<string, Field>()
  const shown = propertiesOf(draft, schemas)
  for (const [index, slot] of (draft.anchor?.slots ?? []).entries()) {
    const argument = draft.anchor?.variables[index]?.name ?? slot
    const schema = shown.get(slot) ?? schemaOf(argument)
    fields.set(slot, { ...fieldOf(slot, schema, schemas), type: keyType(schemas, schema), required: true })
  }
  for (const [name, schema] of shown) {
    if (fields.has(name) || fields.size >= MOST_FIELDS) continue
    if (schemas.view(schema).isWriteOnly) continue
    const field = fieldOf(name, schema, schemas)
    const target = referred(name, schema, field.type, book)
    fields.set(name, target && target !== draft ? { ...field, type: { kind: 'reference', entity: target.name } } : field)
  }
  const { scalar } = draft
  if (scalar) fields.set(scalar.field, { ...fieldOf(scalar.field, scalar.schema, schemas), type: scalarType(scalar, schemas), path: [] })
  return [...fields.values()]
}

function scalarType(scalar: NonNullable<Draft['scalar']>, schemas: Schemas): Type {
  if (scalar.field === 'content') return { kind: 'blob' }
  if (scalar.field === 'text') return { kind: 'string', semantics: 'document' }
  return fieldType(schemas, scalar.schema)
}

/** What answers show of an entity, the most complete answer first. */
export function propertiesOf({ views }: Draft, schemas: Schemas): ReadonlyMap<string, Json> {
  const all = new Map<string, Json>()
  for (const view of views) {
    for (const [name, schema] of schemas.properties(view)) if (!all.has(name)) all.set(name, schema)
  }
  return all
}

function fieldOf(name: string, schema: Json | undefined, schemas: Schemas): Field {
  const description = describe(schemas.view(schema).description)
  return {
    name,
    type: fieldType(schemas, schema),
    ...(description !== undefined && { description }),
    required: false,
    path: [name],
  }
}

/** A key is a scalar; where the document does not say which, it is text. */
export function keyType(schemas: Schemas, schema: Json | undefined): Type {
  const type = argumentType(schemas, schema)
  return type.kind === 'json' || type.kind === 'array' || type.kind === 'object' || type.kind === 'union' || type.kind === 'date'
    ? { kind: 'string', semantics: 'short' }
    : type.kind === 'number'
      ? { kind: 'integer' }
      : type
}

/** The entity that a field refers to: an embedded row of it, or its id (`author_id`). */
function referred(name: string, schema: Json, type: Type, book: Book): Draft | undefined {
  const view = book.schemas.view(schema)
  if (type.kind === 'json') {
    const draft = book.ofComponent(view)
    return draft && isGettable(draft) && hasKey(draft, view, book.schemas) ? draft : undefined
  }
  return isScalar(view) ? referenceByName(name, book) : undefined
}

function hasKey({ anchor }: Draft, view: View, schemas: Schemas): boolean {
  const [slot] = anchor?.slots ?? []
  return slot !== undefined && schemas.properties(view).has(slot)
}

/** The entity that `author_id` or `authorId` names, if it is got by one id. */
export function referenceByName(name: string, book: Book): Draft | undefined {
  const words = wordsOf(name)
  if (words.length < 2 || words.at(-1) !== 'id') return undefined
  const draft = book.named(singularWords(words.slice(0, -1)))
  return draft && isGettable(draft) ? draft : undefined
}

/** Is one row read by one value, and does a read of it exist? */
export function isGettable(draft: Draft): boolean {
  return draft.anchor?.slots.length === 1 && draft.views.length > 0 && draft.anchor.ownFields.length === 1
}
