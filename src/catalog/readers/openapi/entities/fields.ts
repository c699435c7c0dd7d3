import type { Json } from '../../../../base/canonical.ts'
import type { Field, Type } from '../../../model.ts'
import { describe } from '../prose.ts'

import { columnsOf } from './columns.ts'
import { fieldType } from '../schema/field-type.ts'
import type { Schemas } from '../schema/schemas.ts'
import { isScalar, type View } from '../schema/view.ts'
import type { Book } from './book.ts'
import type { Draft } from './draft.ts'
import { isGettable, keyType, namedBy, referenceByName } from './typed.ts'

/** More columns than this are of no use in a table. */
const MAX_FIELDS = 120

/** The fields of an entity: its key, what answers show of it, and the value of answers that are no objects. */
export function fieldsOf(
  draft: Draft,
  book: Book,
  schemaOf: (argument: string) => Json | undefined,
): readonly Field[] {
  const { schemas } = book
  const fields = new Map<string, Field>()
  const shown = propertiesOf(draft, schemas)
  for (const [index, slot] of (draft.anchor?.slots ?? []).entries()) {
    const argument = draft.anchor?.variables[index]?.name ?? slot
    const schema = shown.get(slot) ?? schemaOf(argument)
    fields.set(slot, { ...fieldOf(slot, schema, schemas), type: keyType(schemas, schema), required: true })
  }
  for (const [name, column] of columnsOf(shown, schemas)) {
    const { path, schema } = column
    if (fields.has(name) || fields.size >= MAX_FIELDS) continue
    if (schemas.view(schema).isWriteOnly) continue
    const field = { ...fieldOf(name, schema, schemas), path }
    const target = column.names ? namedBy(name, column.names, book) : referred(name, schema, field.type, book)
    const isOne = target !== draft && column.names?.many !== true
    fields.set(name, target && isOne ? { ...field, type: { kind: 'reference', entity: target.name } } : field)
  }
  const { scalar } = draft
  if (scalar && !fields.has(scalar.field))
    fields.set(scalar.field, {
      name: scalar.field,
      type: scalarType(scalar, schemas),
      required: false,
      path: [scalar.field],
    })
  return [...fields.values()]
}

function scalarType(scalar: NonNullable<Draft['scalar']>, schemas: Schemas): Type {
  if (scalar.field === 'content') return { kind: 'blob' }
  if (scalar.field === 'text') return { kind: 'string', semantics: 'document' }
  return scalar.view ? fieldType(schemas, scalar.view) : { kind: 'json' }
}

/** What answers show of an entity, the most complete answer first; what stands beside its lists last. */
export function propertiesOf(
  { views, beside = new Map() }: Draft,
  schemas: Schemas,
): ReadonlyMap<string, Json> {
  const all = new Map<string, Json>()
  for (const view of views) {
    for (const [name, schema] of schemas.properties(view)) if (!all.has(name)) all.set(name, schema)
  }
  for (const [name, schema] of beside) if (!all.has(name)) all.set(name, schema)
  return all
}

function fieldOf(name: string, schema: Json | undefined, schemas: Schemas): Field {
  const view = schemas.view(schema)
  const description = describe(view.description)
  return {
    name,
    type: fieldType(schemas, view),
    ...(description !== undefined && { description }),
    required: false,
    path: [name],
  }
}

/** The entity that a field refers to: an embedded row of it, or its id (`author_id`). */
function referred(name: string, schema: Json | undefined, type: Type, book: Book): Draft | undefined {
  const view = book.schemas.view(schema)
  if (type.kind === 'json') {
    const draft = book.ofComponent(view)
    return draft && isGettable(draft) && hasKey(draft, view, book.schemas) ? draft : undefined
  }
  return isScalar(view) ? referenceByName(name, book) : undefined
}

/** Whether an object holds the key of a row. */
export function hasKey({ anchor }: Draft, view: View, schemas: Schemas): boolean {
  const [slot] = anchor?.slots ?? []
  return slot !== undefined && schemas.properties(view).has(slot)
}
