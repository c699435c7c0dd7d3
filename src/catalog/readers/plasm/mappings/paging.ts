import { jsonOf, type Tree } from '../../document/tree.ts'
import type { Expression, PageParameter, Paging } from '../../../calls/http-request.ts'
import type { Setting } from './expressions.ts'
import { Section } from '../../document/section.ts'
import { rule } from '../problems.ts'

const KEYS = [
  'location', 'params', 'body_merge_path', 'response_prefix', 'stop_when', 'response_next_url_field',
] as const // prettier-ignore
const LOCATIONS = ['query', 'body', 'link_header', 'response_next_url', 'block_range'] as const

/** Paging; `stepUnknown` names an offset that counts by one because there is no page size. */
export interface ReadPaging {
  readonly paging?: Paging
  readonly stepUnknown?: string
}

/** Reads a `pagination` block. A constant in the template's query may set the page size. */
export function readPaging(
  tree: Tree,
  where: string,
  query: Expression | undefined,
  setting: Setting,
): ReadPaging {
  const read = Section.of(tree, where, KEYS, setting.notes)
  const location = read?.choice('location', LOCATIONS, 'query')
  if (!read || location === undefined) return {}
  if (location === 'block_range') {
    setting.unsupported.add('paging_block_range')
    return {}
  }
  const raw = read.entries('params').flatMap(([name, { tree: param }]) => readParameter(read, name, param))
  const pageSize = raw.find(isPageSize)?.value ?? constantSize(query)
  const stepUnknown = raw.find(
    (param) => param.kind === 'counter' && param.step === undefined && isOffset(param.name),
  )
  const nextUrlField = read.text('response_next_url_field')
  if (location === 'response_next_url') read.need('response_next_url_field')
  const stop = readStop(read)
  const paging: Paging = {
    location: location === 'response_next_url' ? 'next_url' : location,
    parameters: raw.map((param) => finish(param, pageSize)),
    bodyPath: read.steps('body_merge_path') ?? [],
    responsePath: numbered(read.steps('response_prefix') ?? []),
    ...(stop && { stop }),
    ...(nextUrlField !== undefined && { nextUrlField }),
    ...(typeof pageSize === 'number' && { pageSize }),
  }
  return { paging, ...(stepUnknown && pageSize === undefined && { stepUnknown: stepUnknown.name }) }
}

/** Digits in a response path are the index of a list. */
export function numbered(path: readonly string[]): (string | number)[] {
  return path.map((step) => (/^\d{1,9}$/.test(step) ? Number(step) : step))
}

type Raw =
  | {
      readonly name: string
      readonly kind: 'counter'
      readonly start: number
      readonly step: number | undefined
    }
  | Exclude<PageParameter, { kind: 'counter' }>

function readParameter(paging: Section, name: string, tree: Tree): Raw[] {
  const read = Section.of(
    tree,
    paging.path(`params.${name}`),
    ['counter', 'step', 'fixed', 'from_response', 'from_last_row'],
    paging.notes,
  )
  if (!read) return []
  const said = ['counter', 'fixed', 'from_response', 'from_last_row'].filter((key) => read.has(key))
  if (said.length !== 1) {
    paging.wrong(
      `params.${name}`,
      tree,
      'exactly one of `counter`, `fixed`, `from_response` and `from_last_row`',
    )
    return []
  }
  const fixed = read.get('fixed')
  if (fixed) {
    const value = jsonOf(fixed)
    return [{ name, kind: 'fixed', value, isPageSize: isSizeName(name) && isSize(value) }]
  }
  if (read.has('counter'))
    return [{ name, kind: 'counter', start: read.count('counter') ?? 0, step: read.count('step') }]
  const ofRow = read.has('from_last_row')
  const field = read.needText(ofRow ? 'from_last_row' : 'from_response') ?? ''
  return [{ name, kind: 'cursor', field, ...(ofRow && { ofRow }) }]
}

/** An offset counts rows, a page counts pages: an offset without a `step` advances by the page size. */
function finish(raw: Raw, pageSize: unknown): PageParameter {
  if (raw.kind !== 'counter') return raw
  const natural = isOffset(raw.name) && typeof pageSize === 'number' ? pageSize : 1
  return { ...raw, step: raw.step ?? natural }
}

function isOffset(name: string): boolean {
  return ['offset', 'skip', 'start', 'startat', 'startindex', 'from', 'first', 'firstresult'].includes(
    plain(name),
  )
}

/** Names of parameters for the page size, in any spelling. */
function isSizeName(name: string): boolean {
  const word = plain(name)
  return (
    ['size', 'limit', 'perpage', 'maxresults', 'first', 'last', 'top', 'count', 'take', 'rows'].includes(
      word,
    ) ||
    word.endsWith('size') ||
    word.endsWith('limit') ||
    word.endsWith('perpage')
  )
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function isPageSize(param: Raw): param is Extract<Raw, { kind: 'fixed' }> {
  return param.kind === 'fixed' && param.isPageSize
}

function constantSize(query: Expression | undefined): number | undefined {
  if (query?.type !== 'object') return undefined
  for (const [name, value] of query.fields) {
    if (isSizeName(name) && value.type === 'const' && isSize(value.value)) return value.value
  }
  return undefined
}

function readStop(paging: Section): Paging['stop'] {
  const tree = paging.get('stop_when')
  const read = tree && Section.of(tree, paging.path('stop_when'), ['field', 'eq', 'absent'], paging.notes)
  const field = read?.needText('field')
  if (!read || field === undefined) return undefined
  const eq = read.tree.entries.get('eq')?.tree
  if ((eq !== undefined) === read.has('absent')) {
    read.broken(rule('stop_ambiguous', {}))
    return undefined
  }
  return eq ? { field, equals: jsonOf(eq) } : { field }
}
