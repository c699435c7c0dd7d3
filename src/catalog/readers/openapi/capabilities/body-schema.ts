import type { Json } from '../../../../base/canonical.ts'
import { isRecord } from '../../../../base/json.ts'
import type { Book } from '../entities/book.ts'
import { fittedTo } from '../schema/fitted.ts'
import { schemaOfExample } from '../schema/from-example.ts'
import type { DocumentBody, Operation } from '../source/operation.ts'

/** The schema of a body as its example needs it; an example stands for a schema that declares nothing. */
export function bodySchema({ schema, example }: DocumentBody, book: Book): Json | undefined {
  const { properties, types, variants, items, options, example: own } = book.schemas.view(schema)
  const isDeclared =
    properties.size > 0 || variants.length > 0 || items !== undefined || options !== undefined
  const isEmpty = !isDeclared && (types.length === 0 || types[0] === 'object')
  if (isEmpty && example !== undefined) return schemaOfExample(example)
  const shown = example ?? own
  return schema === undefined || shown === undefined ? schema : fittedTo(shown, schema, book.schemas).schema
}

/** The properties of a body that are arguments, by name. */
export function bodyProperties({ body }: Operation, book: Book): ReadonlyMap<string, Json> {
  return body ? book.schemas.properties(book.schemas.view(bodySchema(body, book))) : new Map()
}

/** Does the document say that the body takes further members, or show one body that only an example describes? */
export function isOpenBody(body: DocumentBody, book: Book): boolean {
  const { properties, required, additional, isClosed } = book.schemas.view(bodySchema(body, book))
  if (additional !== undefined || isClosed) return additional !== undefined
  const shown = isRecord(body.example) ? Object.keys(body.example) : []
  return (
    required.size === 0 &&
    shown.length > 0 &&
    shown.length === properties.size &&
    shown.every((name) => properties.has(name))
  )
}
