import type { Json } from '../../../../base/canonical.ts'
import { wordsOf } from '../../../../base/words/names.ts'
import { singularWords } from '../words.ts'
import type { Schemas } from './schemas.ts'
import { ANYTHING, isArray, isScalar, type View } from './view.ts'

/** Where the rows of an answer are, and what they look like. */
export interface Located {
  readonly isList: boolean
  /** Object keys to the list, or to the object. */
  readonly path: readonly string[]
  /** One row. */
  readonly view: View
  readonly form: 'object' | 'scalar' | 'map' | 'anything'
  /** The objects from the body to the rows, outermost first: they hold paging and totals. */
  readonly around: readonly View[]
}

/** What the path says about an answer. */
export interface Expected {
  readonly list: boolean
  /** The noun of the resource, as words in the singular. */
  readonly noun: readonly string[]
}

/** Names of the list in an envelope, in any API. */
const LIST_NAMES = new Set([
  'items', 'data', 'results', 'records', 'values', 'entries', 'rows', 'elements', 'hits', 'docs', 'documents', 'objects',
  'list', 'content', 'collection', 'resources', 'value', 'nodes', 'matches', 'result', 'response', 'payload', 'member', 'members',
]) // prettier-ignore
/** Whether a list of this name in an object is what the object is about. */
export function isListName(name: string): boolean {
  return LIST_NAMES.has(name.toLowerCase())
}

/** Names of the object in an envelope. */
const OBJECT_NAMES = new Set([
  'data',
  'result',
  'response',
  'payload',
  'item',
  'body',
  'value',
  'object',
  'attributes',
  // HAL
  '_embedded',
])
/** Words of properties that describe an answer instead of being its content. */
const META_WORDS = new Set([
  'total', 'count', 'page', 'pages', 'per', 'size', 'limit', 'offset', 'next', 'prev', 'previous', 'first', 'last', 'has', 'more',
  'links', 'link', 'meta', 'metadata', 'pagination', 'paging', 'info', 'cursor', 'cursors', 'token', 'href', 'self', 'status',
  'success', 'ok', 'message', 'messages', 'msg', 'code', 'error', 'errors', 'request', 'object', 'kind', 'etag', 'version',
  'url', 'uri', 'took', 'time', 'truncated', 'incomplete', 'warnings', 'warning', 'start', 'end', 'from', 'to', 'number',
  'current', 'max', 'min', 'filter', 'filters', 'sort', 'order', 'timestamp', 'header', 'headers', 'type', 'included', 'facets',
  'response', 'query', 'elapsed', 'context', 'raft', 'revision', 'jsonapi', 'timed', 'out', 'shards', 'help', 'copyright',
]) // prettier-ignore
const IDENTITIES = new Set(['id', 'uuid', '_id', 'guid'])
const DEEPEST = 4

/** Finds the rows in an answer: in a list, in an envelope around a list or an object, or the answer itself. */
export function locate(schemas: Schemas, schema: Json | undefined, expected: Expected): Located {
  return found(schemas, schemas.view(schema), expected, { path: [], around: [] })
}

interface Way {
  readonly path: readonly string[]
  readonly around: readonly View[]
}

function found(schemas: Schemas, view: View, expected: Expected, way: Way): Located {
  if (isArray(view)) return listAt(schemas, view, way)
  const properties = [...schemas.properties(view)].map(([name, schema]) => ({
    name,
    view: schemas.view(schema),
  }))
  if (properties.length === 0 || way.path.length >= DEEPEST) return single(view, way, schemas)
  const inner = { around: [...way.around, view] }
  const list = listIn(schemas, properties, expected)
  if (list) return listAt(schemas, list.view, { ...inner, path: [...way.path, list.name] })
  const envelope = objectIn(schemas, properties, expected)
  if (!envelope) return single(view, way, schemas)
  const within = found(schemas, envelope.view, expected, { ...inner, path: [...way.path, envelope.name] })
  return within.form === 'anything' && !within.isList ? single(view, way, schemas) : within
}

interface Property {
  readonly name: string
  readonly view: View
}

/** The property that holds the rows. */
function listIn(schemas: Schemas, properties: readonly Property[], expected: Expected): Property | undefined {
  const lists = properties.filter(({ view }) => isArray(view))
  if (lists.length === 0) return undefined
  const others = properties.filter(({ name }) => !isMeta(name))
  const [only] = properties
  if (properties.length === 1 && only && lists.length === 1) return only
  if (properties.some(({ name }) => IDENTITIES.has(name)) && !expected.list) return undefined
  const named = lists.find(({ name }) => isNoun(name, expected)) ?? lists.find(({ name }) => isListName(name))
  const objects = lists.filter(({ view }) => schemas.properties(schemas.view(view.items)).size > 0)
  // An object that has a list of texts is a row with a list, unless the path says that it lists.
  const isRow =
    named !== undefined && !objects.includes(named) && !expected.list && isScalarList(schemas, named)
  if (isRow && properties.some((one) => one !== named && isScalar(one.view))) return undefined
  const hasParallels = lists.filter(({ name }) => !isMeta(name)).length > 1 && objects.length === 0
  // The places of several lists belong together: they are columns of one row.
  if (hasParallels && !(named !== undefined && isNoun(named.name, expected))) return undefined
  const candidate = named ?? (objects.length === 1 ? objects[0] : lists.length === 1 ? lists[0] : undefined)
  if (!candidate) return undefined
  const substance = others.filter((one) => one !== candidate && !isArray(one.view)).length
  const rivals = objects.filter((one) => one !== candidate).length
  const bound = named ? (expected.list ? 4 : 1) : expected.list ? 1 : 0
  return substance <= bound && rivals <= (expected.list && named ? 2 : 0) ? candidate : undefined
}

function isScalarList(schemas: Schemas, { view }: Property): boolean {
  return isScalar(schemas.view(view.items))
}

/** The property that holds the object, where everything beside it describes the answer. */
function objectIn(
  schemas: Schemas,
  properties: readonly Property[],
  expected: Expected,
): Property | undefined {
  if (properties.some(({ name }) => IDENTITIES.has(name))) return undefined
  const objects = properties.filter(
    ({ view }) => !isArray(view) && (schemas.properties(view).size > 0 || view.types.includes('object')),
  )
  const content = objects.filter(({ name }) => !isMeta(name) || OBJECT_NAMES.has(name.toLowerCase()))
  const [only] = content
  if (!only || content.length > 1) return undefined
  // Of search engines: `hits: {total, hits: [...]}`.
  const isOfList = expected.list && isListName(only.name) && holdsList(schemas, only.view, expected)
  const isNamed = isNoun(only.name, expected) || OBJECT_NAMES.has(only.name.toLowerCase()) || isOfList
  const others = properties.filter(({ name }) => name !== only.name && !isMeta(name))
  return others.length === 0 && (isNamed || properties.length === 1) ? only : undefined
}

function holdsList(schemas: Schemas, view: View, expected: Expected): boolean {
  const inner = [...schemas.properties(view)].map(([name, schema]) => ({ name, view: schemas.view(schema) }))
  return listIn(schemas, inner, expected) !== undefined
}

function listAt(schemas: Schemas, view: View, way: Way): Located {
  const item = schemas.view(view.items)
  // A list of one-key objects around the rows: `{"items": [{"track": {…}}]}` keeps its outer object, which may hold more.
  return { ...single(item, way, schemas), isList: true }
}

function single(view: View, { path, around }: Way, schemas: Schemas): Located {
  return { isList: false, path, view, form: formOf(view, schemas), around }
}

function formOf(view: View, schemas: Schemas): Located['form'] {
  if (schemas.properties(view).size > 0) return 'object'
  if (isScalar(view)) return 'scalar'
  return view.additional !== undefined && view.types.includes('object') ? 'map' : 'anything'
}

/** Whether a member of an answer describes the answer instead of being its content. */
export function isMeta(name: string): boolean {
  const words = wordsOf(name)
  return (
    words.length > 0 &&
    words.every((word) => META_WORDS.has(word) || word === 'id' || word === 'is' || word === 'the')
  )
}

function isNoun(name: string, { noun }: Expected): boolean {
  return noun.length > 0 && singularWords(wordsOf(name)).join(' ') === noun.join(' ')
}

export const NOTHING: Located = { isList: false, path: [], view: ANYTHING, form: 'anything', around: [] }
