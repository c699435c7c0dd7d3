import type { Json } from '../../../../base/canonical.ts'
import { child, isList, isRecord, recordOf, scalarText } from '../../../../base/json.ts'
import type { Method, PairStyle } from '../../../calls/http-request.ts'
import { listAt, textAt } from '../schema/keywords.ts'
import { answerOf, isJson } from './answer.ts'
import type { DocumentBody, DocumentParameter, Operation, ParameterPlace } from './operation.ts'
import { type References, refOf } from './refs.ts'
import { segmentsOf } from './segments.ts'

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** The operations of a document, and those that cannot be called. */
export interface Listed {
  readonly operations: readonly Operation[]
  readonly left: readonly { readonly operation: string; readonly reason: string }[]
  readonly webhooks: number
}

/** Every operation of a document of OpenAPI 2.0, 3.0 or 3.1, in its order. */
export function operationsOf(document: Json, refs: References): Listed {
  const operations: Operation[] = []
  const left: { operation: string; reason: string }[] = []
  for (const [path, written] of entriesAt(document, 'paths')) {
    if (!path.startsWith('/')) continue
    const { value: item } = refs.resolve(written)
    if (!isRecord(item)) {
      left.push({ operation: path, reason: 'its path is described in another document' })
      continue
    }
    for (const [key, value] of Object.entries(item)) {
      const method = METHODS.find((one) => one.toLowerCase() === key)
      if (method) operations.push(operationOf({ document, refs, item, path, method, value }))
      else if (key === 'trace')
        left.push({ operation: `TRACE ${path}`, reason: 'TRACE requests are never sent' })
    }
  }
  const webhooks = entriesAt(document, 'webhooks').length
  return { operations, left, webhooks }
}

interface Place {
  readonly document: Json
  readonly refs: References
  /** The path item. */
  readonly item: Json
  readonly path: string
  readonly method: Method
  readonly value: Json
}

function operationOf({ document, refs, item, path, method, value }: Place): Operation {
  const { value: resolved } = refs.resolve(value)
  const said = isRecord(resolved) ? resolved : {}
  const isOpaque = !isRecord(resolved)
  const segments = segmentsOf(path)
  const isTwo = child(document, 'swagger') !== undefined
  const written = [...listAt(item, 'parameters'), ...listAt(said, 'parameters')].map((one) =>
    refs.record(one),
  )
  const parameters = withPath(merged(written.flatMap((one) => parameterOf(one, isTwo))), segments)
  const body = isTwo ? bodyOfTwo(document, said, written) : bodyOf(said, refs)
  const operationId = plainId(textAt(said, 'operationId'), path, method) ?? idFromReference(value)
  const security = securityOf(said)
  const summary = textAt(said, 'summary')
  const description = textAt(said, 'description')
  const [server] = [...listAt(said, 'servers'), ...listAt(item, 'servers')]
  return {
    method,
    path,
    segments,
    ...(operationId !== undefined && { operationId }),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    tags: listAt(said, 'tags').filter((tag) => typeof tag === 'string'),
    isDeprecated: child(said, 'deprecated') === true,
    parameters,
    ...(body && { body }),
    answer: isOpaque ? { kind: 'unknown', headers: [] } : answerOf(document, said, refs),
    ...(security && { security }),
    ...(server !== undefined && { server }),
    isOpaque,
  }
}

/**
 * The name of the function alone, where a framework makes ids of the function, the path and the method:
 * `read_item_items__item_id__get` of `/items/{item_id}` is `read_item`.
 */
function plainId(id: string | undefined, path: string, method: Method): string | undefined {
  const end = `${path.replaceAll(/\W/g, '_')}_${method.toLowerCase()}`
  return id !== undefined && id.length > end.length && id.endsWith(end) ? id.slice(0, -end.length) : id
}

/** `resources/droplets/droplets_list.yml` names the operation that it describes. */
function idFromReference(value: Json): string | undefined {
  return /([^/\\#]+?)(?:\.\w+)?(?:#.*)?$/.exec(refOf(value) ?? '')?.[1]
}

function entriesAt(value: Json | undefined, key: string): readonly (readonly [string, Json])[] {
  const held = child(value, key)
  return isRecord(held) ? Object.entries(held) : []
}

/** The alternatives of `security`; an empty one means that no credential is needed. */
export function securityOf(value: Json | undefined): readonly (readonly string[])[] | undefined {
  const held = child(value, 'security')
  return isList(held) ? held.map((one) => (isRecord(one) ? Object.keys(one) : [])) : undefined
}

/** A later parameter of the same name and place replaces an earlier one. */
function merged(parameters: readonly DocumentParameter[]): readonly DocumentParameter[] {
  return [...new Map(parameters.map((one) => [`${one.in} ${one.name}`, one])).values()]
}

/** Variables of the path that the document does not declare are required text. */
function withPath(
  declared: readonly DocumentParameter[],
  segments: Operation['segments'],
): readonly DocumentParameter[] {
  const names = segments.flatMap((segment) => (segment.kind === 'variable' ? [segment.name] : []))
  const path = [...new Set(names)].map(
    (name): DocumentParameter =>
      declared.find((one) => one.in === 'path' && one.name === name) ?? {
        name,
        in: 'path',
        isRequired: true,
        schema: undefined,
        isDeprecated: false,
        isJson: false,
      },
  )
  return [...path, ...declared.filter((one) => one.in !== 'path')]
}

/** These describe the message itself, and the specification says to ignore them as parameters. */
const OWN_HEADERS = new Set(['accept', 'content-type', 'accept-encoding', 'content-length'])

function parameterOf(said: Json, isTwo: boolean): readonly DocumentParameter[] {
  const name = textAt(said, 'name')
  const place = placeOf(textAt(said, 'in'))
  if (name === undefined || !place || (place === 'header' && OWN_HEADERS.has(name.toLowerCase()))) return []
  const [content] = entriesAt(said, 'content')
  const schema = child(said, 'schema') ?? child(content?.[1], 'schema') ?? (isTwo ? said : undefined)
  const description = textAt(said, 'description')
  const example = child(said, 'example') ?? child(entriesAt(said, 'examples')[0]?.[1], 'value')
  const pairs = pairsOf(said, place, isTwo)
  const separator = pairs === 'brackets' ? undefined : separatorOf(said, place, isTwo)
  return [
    {
      name,
      in: place,
      isRequired: place === 'path' || child(said, 'required') === true,
      schema,
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
      isDeprecated: child(said, 'deprecated') === true,
      ...(separator !== undefined && { separator }),
      ...(pairs && { pairs }),
      isJson: content !== undefined && isJson(content[0]),
    },
  ]
}

function placeOf(text: string | undefined): ParameterPlace | undefined {
  return text === 'path' || text === 'query' || text === 'header' || text === 'cookie' ? text : undefined
}

/** What joins the elements of a list; undefined if each element has a pair of its own. */
function separatorOf(said: Json, place: ParameterPlace, isTwo: boolean): string | undefined {
  if (isTwo) {
    const format = textAt(said, 'collectionFormat') ?? 'csv'
    return format === 'multi' ? undefined : format === 'ssv' ? ' ' : format === 'pipes' ? '|' : ','
  }
  const style = textAt(said, 'style') ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple')
  const explode = child(said, 'explode') ?? style === 'form'
  if (style === 'spaceDelimited') return ' '
  if (style === 'pipeDelimited') return '|'
  return style === 'form' && explode === true ? undefined : ','
}

/** How an object is written in a query. */
function pairsOf(said: Json, place: ParameterPlace, isTwo: boolean): PairStyle | undefined {
  if (place !== 'query' || isTwo) return undefined
  const style = textAt(said, 'style') ?? 'form'
  if (style === 'deepObject') return 'brackets'
  if (style !== 'form') return undefined
  return child(said, 'explode') === false ? 'listed' : 'bare'
}

/** The body with the content type that is easiest to fill. */
function bodyOf(said: Json, refs: References): DocumentBody | undefined {
  const body = refs.record(child(said, 'requestBody'))
  const contents = entriesAt(body, 'content')
  const [contentType, media] = preferred(contents)
  if (contentType === undefined || media === undefined) return undefined
  const example = child(media, 'example') ?? child(refs.record(entriesAt(media, 'examples')[0]?.[1]), 'value')
  return {
    contentType,
    schema: child(media, 'schema'),
    isRequired: child(body, 'required') === true,
    ...(example !== undefined && { example }),
    bracketed: new Set(
      entriesAt(media, 'encoding').flatMap(([name, how]) =>
        textAt(how, 'style') === 'deepObject' ? [name] : [],
      ),
    ),
  }
}

const PREFERENCE: readonly ((type: string) => boolean)[] = [
  isJson,
  (type) => type === '*/*' || type === '',
  (type) => type.startsWith('application/x-www-form-urlencoded'),
  (type) => type.startsWith('multipart/'),
  (type) => type.startsWith('text/'),
  () => true,
]

function preferred(contents: readonly (readonly [string, Json])[]): readonly [string?, Json?] {
  for (const fits of PREFERENCE) {
    const found = contents.find(([type]) => fits(type.toLowerCase()))
    if (found) return found
  }
  return []
}

/** In 2.0 the body is one parameter (`body`) or several (`formData`). */
function bodyOfTwo(document: Json, said: Json, written: readonly Json[]): DocumentBody | undefined {
  const consumes = [...listAt(said, 'consumes'), ...listAt(document, 'consumes')].filter(
    (one) => typeof one === 'string',
  )
  const whole = written.find((one) => textAt(one, 'in') === 'body')
  if (whole) {
    const contentType = consumes.find(isJson) ?? consumes[0] ?? 'application/json'
    return {
      contentType,
      schema: child(whole, 'schema'),
      isRequired: child(whole, 'required') === true,
    }
  }
  const fields = written.filter((one) => textAt(one, 'in') === 'formData')
  if (fields.length === 0) return undefined
  const hasFile = fields.some((one) => textAt(one, 'type') === 'file')
  const isMultipart = hasFile || consumes.some((one) => one.startsWith('multipart/'))
  const properties = fields.map((one): readonly [string, Json] => [textAt(one, 'name') ?? '', asSchema(one)])
  const required = fields
    .filter((one) => child(one, 'required') === true)
    .map((one) => scalarText(child(one, 'name')) ?? '')
  return {
    contentType: isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
    schema: { type: 'object', properties: recordOf(properties), required },
    isRequired: required.length > 0,
  }
}

/** `required` of a parameter is a flag, that of a schema a list. */
function asSchema(parameter: Json): Json {
  if (!isRecord(parameter)) return {}
  const { required: _required, ...schema } = parameter
  return textAt(parameter, 'type') === 'file' ? { ...schema, type: 'string', format: 'binary' } : schema
}
