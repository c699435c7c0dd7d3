import type { CapabilityCall } from '../../../model.ts'
import type {
  Auxiliary,
  AnswerShape,
  HttpRequest,
  Method,
  PathSegment,
  Reshape,
} from '../../../calls/http-request.ts'
import { CONTRACT_KEYS, readContract } from './contracts.ts'
import { readExpression, tagged, type Setting } from './expressions.ts'
import { checkHeaderTexts, checkPathText, escapedLiteral } from './literals.ts'
import { numbered, readPaging } from './paging.ts'
import { Section } from '../../document/section.ts'
import type { Tree } from '../../document/tree.ts'
import { rule } from '../problems.ts'

const HTTP_KEYS = [
  'transport',
  'method',
  'path',
  'query',
  'body',
  'headers',
  'body_format',
  'multipart',
  'pagination',
  'response',
]
const KEYS = {
  http: HTTP_KEYS,
  graphql: HTTP_KEYS,
  view: ['transport', 'view'],
  ...CONTRACT_KEYS,
} as const
const TRANSPORTS = ['http', 'graphql', 'view', 'evm_call', 'evm_logs'] as const
const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
] as const satisfies readonly Method[]

/** A request template. `call` is null until a view is resolved, if the transport is not supported, and after an error. */
export interface ReadTemplate {
  readonly call: CapabilityCall | null
  /** The origins of absolute URLs in the path. */
  readonly origins: readonly string[]
  /** An offset that counts by one because there is no page size. */
  readonly stepUnknown?: string
  /** The view that answers instead of a request, with the section that names it. */
  readonly view?: { readonly name: string; readonly section: Section }
}

/** Reads the template of one capability. Adds features that are not supported to `unsupported`. */
export function readTemplate(tree: Tree, where: string, setting: Setting): ReadTemplate {
  const none: ReadTemplate = { call: null, origins: [] }
  const said = tree.kind === 'map' ? tree.entries.get('transport')?.tree : undefined
  const transport = said?.kind === 'scalar' ? TRANSPORTS.find((name) => name === said.value) : undefined
  const read = Section.of(tree, where, KEYS[transport ?? 'http'], setting.notes)
  const kind = read?.has('transport') ? read.choice('transport', TRANSPORTS) : 'http'
  if (!read || kind === undefined) return none
  switch (kind) {
    case 'http':
    case 'graphql':
      return readHttp(read, kind, setting)
    case 'view': {
      const name = read.needText('view')
      return name === undefined ? none : { ...none, view: { name, section: read } }
    }
    case 'evm_call':
    case 'evm_logs':
      return { ...none, call: readContract(read, kind, setting) ?? null }
  }
}

function readHttp(read: Section, kind: 'http' | 'graphql', setting: Setting): ReadTemplate {
  const method = read.need('method') && read.choice('method', METHODS)
  const { path, origins } = readPath(read, setting)
  const auxiliary = readAuxiliary(read, setting)
  const optional = (key: string) =>
    read.has(key) ? readExpression(read.get(key), read.path(key), setting) : undefined
  const [query, headers, body] = [optional('query'), optional('headers'), optional('body')]
  if (headers) checkHeaderTexts(read, headers, setting)
  const page = read.get('pagination')
  const { paging, stepUnknown } = page ? readPaging(page, read.path('pagination'), query, setting) : {}
  const response = { ...readResponse(read, setting), ...(auxiliary && { auxiliary: auxiliary.auxiliary }) }
  const bodyFormat = readBodyFormat(read, setting)
  if (method === undefined) return { call: null, origins }
  const request: HttpRequest = {
    method,
    path,
    ...(query && { query }),
    ...(headers && { headers }),
    ...(body && { body }),
    bodyFormat,
    ...(paging && { paging }),
    response,
  }
  const all = [...origins, ...(auxiliary?.origins ?? [])]
  return { call: { kind, request }, origins: all, ...(stepUnknown !== undefined && { stepUnknown }) }
}

function readPath(
  read: Section,
  setting: Setting,
): { path: readonly PathSegment[]; origins: readonly string[] } {
  read.need('path')
  return fromLastUrl(
    read.items('path').flatMap((item, index) => readSegment(read, item, index, setting)),
    read,
  )
}

function readBodyFormat(read: Section, setting: Setting): 'json' | 'form' {
  const format = read.choice('body_format', ['json', 'form_urlencoded', 'multipart'])
  if (format === 'multipart' || read.has('multipart')) setting.unsupported.add('multipart')
  return format === 'form_urlencoded' ? 'form' : 'json'
}

/** Our extension `encode` sets the encoding of a variable in the path. */
const SEGMENT_KEYS = { literal: ['value'], var: ['name', 'suffix', 'encode'] } as const

function readSegment(read: Section, tree: Tree, index: number, setting: Setting): PathSegment[] {
  const where = `${read.path('path')}[${index}]`
  const segment = tagged(tree, where, { types: ['literal', 'var'], keys: SEGMENT_KEYS }, read.notes)
  if (!segment) return []
  const { section, type } = segment
  if (type === 'literal') {
    const value = escapedLiteral(literal(section, index))
    checkPathText(value, where, section.at('value'), setting)
    return [{ type, value }]
  }
  const name = section.needText('name') ?? ''
  const last = index === read.items('path').length - 1
  const encode =
    section.choice('encode', ['segment', 'slashes']) ?? (last && holdsPath(name) ? 'slashes' : 'segment')
  const suffix = escapedLiteral(section.text('suffix') ?? '')
  // The part before the suffix is a value, which is checked at the call.
  checkPathText(`x${suffix}`, where, section.at('suffix'), setting)
  return [{ type, name, suffix, encode }]
}

function literal(section: Section, index: number): string {
  const value = section.get('value')
  if (value?.kind === 'scalar' && typeof value.value === 'number') return String(value.value)
  const text = section.text('value') ?? ''
  if (!section.tree.entries.has('value')) section.need('value')
  return index === 0 ? text.replace(/^\/+/, '') : text
}

/**
 * A last variable with one of these names is a path of several segments (`contents/{path}`, `git/refs/{ref}`), whose
 * slashes are kept. Where this guess is wrong, `encode` on the segment overrides it.
 */
function holdsPath(name: string): boolean {
  return ['path', 'filepath', 'file_path', 'filePath', 'ref', 'git_ref'].includes(name)
}

/** An absolute URL as a literal: the segments before it are dropped, and its origin may be called, too. */
function fromLastUrl(
  path: readonly PathSegment[],
  read: Section,
): { path: readonly PathSegment[]; origins: string[] } {
  const at = path.findLastIndex(
    (segment) => segment.type === 'literal' && /^https?:\/\//i.test(segment.value),
  )
  const url = path[at]
  if (url?.type !== 'literal') return { path, origins: [] }
  if (!URL.canParse(url.value)) {
    read.broken(rule('url_invalid', { url: url.value }), 'path')
    return { path, origins: [] }
  }
  return { path: path.slice(at), origins: [new URL(url.value).origin] }
}

/** Our extensions: `format` is for answers that are no JSON, `beside` for members around a list. */
const RESPONSE_KEYS = [
  'items', 'items_path', 'item_inner_key', 'single', 'wrap_root_scalar', 'response_preprocess', 'auxiliary_merge', 'format', 'beside',
] // prettier-ignore
const SHORTHANDS = ['single', 'items_list', 'results_list', 'bare_list'] as const
const EVERYTHING: AnswerShape = { single: false, scalar: false }

function readResponse(read: Section, setting: Setting): AnswerShape {
  const tree = read.get('response')
  if (!tree) return EVERYTHING
  if (tree.kind === 'scalar') {
    const shorthand = read.choice('response', SHORTHANDS)
    if (shorthand === 'items_list') return { ...EVERYTHING, path: ['items'] }
    return { ...EVERYTHING, single: shorthand === 'single' }
  }
  const response = Section.of(tree, read.path('response'), RESPONSE_KEYS, setting.notes)
  if (!response) return EVERYTHING
  const reshape = readReshape(response)
  const items = response.text('items')
  const steps = response.steps('items_path')
  const path = steps ? numbered(steps) : items === undefined ? undefined : [items]
  const innerKey = response.text('item_inner_key')
  const beside = response.texts('beside').map((member) => member.split('.'))
  const format = response.choice('format', ['text', 'bytes'])
  return {
    ...(path && path.length > 0 && { path }),
    ...(innerKey !== undefined && { innerKey }),
    single: response.flag('single'),
    scalar: response.flag('wrap_root_scalar') || format !== undefined,
    ...(format !== undefined && { format }),
    ...(reshape && { reshape }),
    ...(beside.length > 0 && { beside }),
  }
}

const RESHAPES = ['array_find_pluck', 'concat_field_arrays', 'string_ids_to_field_objects'] as const
const RESHAPE_KEYS = ['kind', 'path', 'id_field', 'id_var', 'nested_array', 'from_each', 'field']

function readReshape(response: Section): Reshape | undefined {
  const tree = response.get('response_preprocess')
  const read = tree && Section.of(tree, response.path('response_preprocess'), RESHAPE_KEYS, response.notes)
  const kind = read?.need('kind') && read.choice('kind', RESHAPES)
  if (!read || kind === undefined) return undefined
  read.need('path')
  const path = numbered(read.steps('path') ?? [])
  const name = (key: string) => read.needText(key) ?? ''
  switch (kind) {
    case 'array_find_pluck': {
      const [field, variable, inner] = [name('id_field'), name('id_var'), name('nested_array')]
      return { kind: 'pluck', path, field, variable, inner }
    }
    case 'concat_field_arrays':
      return { kind: 'concat', path, inner: name('from_each') }
    case 'string_ids_to_field_objects':
      return { kind: 'wrap', path, field: name('field') }
  }
}

const AUXILIARY_KEYS = ['method', 'path', 'query', 'headers', 'from_path', 'into_key']

/** A second request whose answer completes the first. It must be a read. */
function readAuxiliary(
  read: Section,
  setting: Setting,
): { auxiliary: Auxiliary; origins: readonly string[] } | undefined {
  const response = read.get('response')
  const tree = response?.kind === 'map' ? response.entries.get('auxiliary_merge')?.tree : undefined
  const second =
    tree && Section.of(tree, read.path('response.auxiliary_merge'), AUXILIARY_KEYS, setting.notes)
  if (!second) return undefined
  const method = second.need('method') && second.choice('method', METHODS)
  if (method !== undefined && method !== 'GET') second.broken(rule('second_request_writes', {}), 'method')
  const { path, origins } = readPath(second, setting)
  const optional = (key: string) =>
    second.has(key) ? readExpression(second.get(key), second.path(key), setting) : undefined
  const [query, headers] = [optional('query'), optional('headers')]
  if (headers) checkHeaderTexts(second, headers, setting)
  const from = numbered(second.steps('from_path') ?? [])
  const request = { method: 'GET', path, bodyFormat: 'json' } as const
  return {
    auxiliary: {
      request: { ...request, ...(query && { query }), ...(headers && { headers }) },
      from,
      into: second.needText('into_key') ?? '',
    },
    origins,
  }
}
