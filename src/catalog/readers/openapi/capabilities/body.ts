import type { Json } from '../../../../base/canonical.ts'
import type { Parameter } from '../../../model.ts'
import type { Expression, HttpRequest } from '../../../calls/http-request.ts'
import type { Book } from '../entities/book.ts'
import type { Use } from '../entities/draft.ts'
import { memberReferenceOr } from '../entities/typed.ts'

import { argumentType } from '../schema/argument-types.ts'
import { isArray, type View } from '../schema/view.ts'
import { isJson } from '../source/answer.ts'
import type { DocumentBody } from '../source/operation.ts'
import { bodyProperties, bodySchema, isOpenBody } from './body-schema.ts'
import { withFileNames } from './file-parts.ts'
import { guarded, type Names, type Sent, sentOf, valueOf } from './sent.ts'

/** The body of a request. */
export interface BuiltBody {
  readonly sent: readonly Sent[]
  readonly request: Pick<
    HttpRequest,
    'body' | 'bodyFormat' | 'contentType' | 'fileParts' | 'omitEmptyBody' | 'openBody'
  >
  readonly why?: string
}

const NO_BODY: BuiltBody = { sent: [], request: { bodyFormat: 'json' } }

/** The arguments of a body: one for each property of an object, else one for the whole body. */
export function bodyOf(use: Use, book: Book, names: Names, paging: ReadonlySet<string>): BuiltBody {
  const { operation } = use.placed
  const { body, method, isOpaque } = operation
  if (isOpaque && (method === 'POST' || method === 'PUT' || method === 'PATCH')) return opaqueBody()
  if (!body || ((method === 'GET' || method === 'HEAD') && !body.isRequired)) return NO_BODY
  const format = formatOf(body)
  const schema = bodySchema(body, book)
  const view = book.schemas.view(schema)
  const properties = bodyProperties(operation, book)
  if (format === 'json' && isEmptyObject(view, properties)) return openBody(body, names)
  const isWhole = format === 'text' || format === 'bytes' || properties.size === 0 || isArray(view)
  if (isWhole || argumentType(book.schemas, schema).kind === 'union')
    return wholeBody(body, schema, book, names)
  const members = [...properties].flatMap(([name, property]) =>
    paging.has(name) ? [] : sentProperty(name, property, { view, use, book, names }),
  )
  const sent = format === 'multipart' ? withFileNames(members, names) : members
  const fileParts = sent.filter(({ isFile }) => isFile).map(({ wire }) => wire)
  const isOptional = !body.isRequired && sent.every(({ parameter }) => parameter && !parameter.required)
  return {
    sent,
    request: {
      body: { type: 'object', fields: sent.map(({ wire, expression }) => [wire, expression] as const) },
      bodyFormat: format,
      ...typed(body),
      ...(format === 'multipart' && { fileParts }),
      ...(isOptional && { omitEmptyBody: true as const }),
      ...(format === 'json' && isOpenBody(body, book) && { openBody: true as const }),
    },
  }
}

function isEmptyObject({ types, additional }: View, properties: ReadonlyMap<string, Json>): boolean {
  return types.includes('object') && properties.size === 0 && additional === undefined
}

/** An object without declared properties: a message without fields, or one that the document leaves open. */
function openBody(body: DocumentBody, names: Names): BuiltBody {
  const name = names.of('body')
  const parameter: Parameter = { name, type: { kind: 'json' }, required: false, role: 'plain' }
  const expression = guarded(name, { type: 'var', name }, {})
  return {
    sent: [{ wire: 'body', parameter, expression }],
    request: { body: expression, bodyFormat: 'json', ...typed(body) },
  }
}

/** Nothing is known of it: one argument is the whole body. */
function opaqueBody(): BuiltBody {
  const parameter: Parameter = {
    name: 'input',
    type: { kind: 'json' },
    required: false,
    role: 'plain',
    description: 'The whole body',
  }
  return {
    sent: [{ wire: 'input', parameter, expression: { type: 'var', name: 'input' } }],
    request: { body: valueOf(parameter), bodyFormat: 'json', omitEmptyBody: true },
    why: 'The document describes it in another file: the whole body is one argument.',
  }
}

interface Around {
  readonly view: View
  readonly use: Use
  readonly book: Book
  readonly names: Names
}

function sentProperty(name: string, schema: Json, { view, use, book, names }: Around): readonly Sent[] {
  const inner = book.schemas.view(schema)
  const isRequired = book.schemas.whole(view).required.has(name)
  if ((inner.isReadOnly || inner.isDeprecated) && !isRequired) return []
  if (names.isReserved(name) && use.isOnRow) {
    if (isRequired) return [{ wire: name, expression: { type: 'var', name } }]
    // A body may repeat the id of its row; only a name can be changed by it.
    if (/^_?(?:id|uuid|guid)$|_id$|Id$/.test(name)) return []
  }
  // The query takes it as well: one of the two is enough.
  if (!isRequired && names.isTaken(name)) return []
  const type = memberReferenceOr(name, argumentType(book.schemas, schema), book)
  const prefix = use.isOnRow ? 'new' : undefined
  const { body } = use.placed.operation
  const pairs = body?.bracketed?.has(name) && formatOf(body) === 'form' ? ('brackets' as const) : undefined
  return [sentOf({ wire: name, view: inner, type, isRequired, role: 'plain', pairs }, names, prefix)]
}

function wholeBody(body: DocumentBody, schema: Json | undefined, book: Book, names: Names): BuiltBody {
  const format = formatOf(body)
  const view = book.schemas.view(schema)
  const type =
    format === 'bytes'
      ? ({ kind: 'blob' } as const)
      : format === 'text'
        ? ({ kind: 'string', semantics: 'document' } as const)
        : argumentType(book.schemas, schema)
  const sent = sentOf(
    { wire: 'body', view: { ...view, options: [] }, type, isRequired: body.isRequired, role: 'plain' },
    names,
  )
  const expression: Expression = sent.expression
  return {
    sent: [sent],
    request: {
      body: expression,
      bodyFormat: format === 'multipart' || format === 'form' ? 'json' : format,
      ...typed(body),
      omitEmptyBody: true,
    },
  }
}

function formatOf({ contentType, schema }: DocumentBody): HttpRequest['bodyFormat'] {
  const type = contentType.toLowerCase()
  if (isJson(type) || type === '*/*' || type === '') return 'json'
  if (type.startsWith('application/x-www-form-urlencoded')) return 'form'
  if (type.startsWith('multipart/')) return 'multipart'
  if (/^text\/|xml|yaml|csv|graphql|ndjson/.test(type)) return 'text'
  return schema === undefined || !type.startsWith('application/vnd') ? 'bytes' : 'json'
}

/** A content type other than the usual one of the format. */
function typed({ contentType }: DocumentBody): { readonly contentType?: string } {
  const plain = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const isUsual =
    ['application/json', '*/*', '', 'application/x-www-form-urlencoded'].includes(plain) ||
    plain.startsWith('multipart/')
  return isUsual ? {} : { contentType: plain }
}
