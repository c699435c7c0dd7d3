import type { Json } from '../../../../base/canonical.ts'
import type { Type } from '../../../model.ts'
import { argumentType } from '../schema/types.ts'
import type { Schemas } from '../schema/view.ts'
import { singularWords, wordsOf } from '../words.ts'
import type { Book } from './book.ts'
import type { Draft } from './draft.ts'

/** A key is a scalar; where the document does not say which, it is text. */
export function keyType(schemas: Schemas, schema: Json | undefined): Type {
  const type = argumentType(schemas, schema)
  switch (type.kind) {
    case 'integer':
    case 'uuid':
    case 'string':
    case 'select':
    case 'boolean':
      return type
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

/** The entity that `author_id` or `authorId` names, if it is got by one id. */
export function referenceByName(name: string, book: Book): Draft | undefined {
  const words = wordsOf(name)
  if (words.length < 2 || words.at(-1) !== 'id') return undefined
  const draft = book.named(singularWords(words.slice(0, -1)))
  return draft && isGettable(draft) ? draft : undefined
}

/** Is one row read by one value, and does a read of it exist? */
export function isGettable({ anchor, views }: Draft): boolean {
  return anchor?.slots.length === 1 && views.length > 0 && anchor.ownFields.length === 1
}
