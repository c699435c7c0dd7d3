import type { Json } from '../../../../base/canonical.ts'
import { wordsOf } from '../../../../base/words/names.ts'
import type { Type } from '../../../model.ts'
import { argumentType } from '../schema/argument-types.ts'
import type { Schemas } from '../schema/schemas.ts'
import { singularWords } from '../words.ts'
import type { Book } from './book.ts'
import type { Column } from './columns.ts'
import type { Draft } from './draft.ts'

/** A key is a scalar; where the document does not say which, it is text. */
export function keyType(schemas: Schemas, schema: Json | undefined): Type {
  const type = argumentType(schemas, schema)
  switch (type.kind) {
    case 'uuid':
    case 'string':
    case 'select':
    case 'boolean':
      return type
    case 'integer':
    case 'number':
      return { kind: 'integer' }
    default:
      return { kind: 'string', semantics: 'short' }
  }
}

/** The entity that an argument such as `user_id` refers to, else its own type. */
export function referenceOr(name: string, type: Type, book: Book): Type {
  const isId =
    type.kind === 'string' || type.kind === 'integer' || type.kind === 'number' || type.kind === 'uuid'
  const draft = isId ? referenceByName(name, book) : undefined
  return draft ? { kind: 'reference', entity: draft.name } : type
}

/** The same in a body, where a number and text differ: the id of the entity has to be of the declared kind. */
export function memberReferenceOr(name: string, type: Type, book: Book): Type {
  const draft = referenceByName(name, book)
  const key = draft && ownKeyType(draft, book.schemas)
  const isAlike = key === undefined || (key.kind === 'integer') === /^(?:integer|number)$/.test(type.kind)
  return isAlike ? referenceOr(name, type, book) : type
}

/** The type of the key as the rows of the entity show it. */
function ownKeyType({ anchor, views }: Draft, schemas: Schemas): Type | undefined {
  const slot = anchor?.slots[0] ?? ''
  const schema = views.map((view) => schemas.properties(view).get(slot)).find((one) => one !== undefined)
  return schema === undefined ? undefined : keyType(schemas, schema)
}

/** The entity that `author_id` or `authorId` names, if it is got by one id; if it is got by its slug, `author_slug` names it. */
export function referenceByName(name: string, book: Book): Draft | undefined {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  if (words.length < 2 || !(last === 'id' || KEYS.has(last))) return undefined
  const draft = book.named(singularWords(words.slice(0, -1)))
  if (!draft || !isGettable(draft)) return undefined
  return (last === 'id' ? takesId(draft, book.schemas) : draft.anchor?.slots[0] === last) ? draft : undefined
}

/** Keys besides ids that other rows hold under the name of what they refer to. */
const KEYS = new Set(['uuid', 'guid', 'slug', 'code', 'key', 'login', 'handle', 'symbol', 'name', 'number'])

/** Does the path of its rows take their id? Not where they have one, and the path asks for another column. */
function takesId({ anchor, views }: Draft, schemas: Schemas): boolean {
  const asked = [anchor?.slots[0] ?? '', anchor?.variables[0]?.name ?? '']
  const isById = asked.some((name) => /^(?:id|uuid|guid)$/.test(wordsOf(name).at(-1) ?? ''))
  return isById || !views.some((view) => schemas.properties(view).has('id'))
}

/** The entity of the rows that a relationship of this name names, if they are got by one id. */
export function namedBy(name: string, { row }: NonNullable<Column['names']>, book: Book): Draft | undefined {
  const type = book.schemas.view(book.schemas.properties(book.schemas.view(row)).get('type'))
  const [said = type.example] = type.options ?? []
  const found = [name, ...(typeof said === 'string' ? [said] : [])].map((one) =>
    book.named(singularWords(wordsOf(one))),
  )
  return found.find((draft) => draft && isGettable(draft))
}

/** Is one row read by one value, and does a read of it exist? */
export function isGettable({ anchor, views }: Draft): boolean {
  return anchor?.slots.length === 1 && views.length > 0 && anchor.ownFields.length === 1
}
