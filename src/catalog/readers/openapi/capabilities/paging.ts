import type { Json } from '../../../../base/canonical.ts'
import { scalarText } from '../../../../base/json.ts'
import { wordsOf } from '../../../../base/words/names.ts'
import type { PageParameter, Paging } from '../../../calls/http-request.ts'
import type { Placed } from '../entities/places.ts'

import type { Schemas } from '../schema/schemas.ts'
import { isScalar, type View } from '../schema/view.ts'
import { headerWayOf, NEXT_PAGE } from './page-headers.ts'
import {
  CURSORS,
  LAST_ROWS,
  LAST_FLAGS,
  MORE_FLAGS,
  NEXT_CURSORS,
  NEXT_URLS,
  OFFSETS,
  PAGES,
  plainOf,
  SIZES,
} from './page-names.ts'

/** How a list is read on, and the parameters that paging fills. */
export interface FoundPaging {
  readonly paging: Paging
  readonly filled: ReadonlySet<string>
  readonly why: string
}

/** A parameter that paging may fill: of the query, or a property of the body. */
interface Candidate {
  readonly name: string
  readonly plain: string
  readonly view: View
  readonly text: string
  readonly isRequired: boolean
}

/** Finds out how a list is paged, from its parameters, from the answer around the rows and from its headers. */
export function pagingOf(one: Placed, schemas: Schemas): FoundPaging | undefined {
  const { operation, answer } = one
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) =>
      candidate(parameter.name, schemas.view(parameter.schema), parameter.isRequired, parameter.description),
    )
  const body = [...schemas.properties(schemas.view(operation.body?.schema))].map(([name, schema]) =>
    candidate(name, schemas.view(schema), false, undefined),
  )
  const signals = signalsOf(answer.around, answer.path, schemas)
  const rowKey = schemas.properties(answer.view).has('id') ? 'id' : undefined
  const { headers } = operation.answer
  return (
    pagedBy(query, 'query', { signals, headers, rowKey }) ??
    (operation.method === 'GET' ? undefined : pagedBy(body, 'body', { signals, headers: [], rowKey }))
  )
}

function candidate(
  name: string,
  view: View,
  isRequired: boolean,
  description: string | undefined,
): Candidate {
  return {
    name,
    plain: plainOf(name),
    view,
    isRequired,
    text: `${description ?? ''} ${view.description ?? ''}`,
  }
}

/** What an answer says of the next page. */
interface AnswerSigns {
  readonly signals: readonly Signal[]
  /** Its headers, lowercase. */
  readonly headers: readonly string[]
  /** The field that tells its rows apart. */
  readonly rowKey: string | undefined
}

function pagedBy(
  candidates: readonly Candidate[],
  location: 'query' | 'body',
  { signals, headers, rowKey }: AnswerSigns,
): FoundPaging | undefined {
  const scalar = candidates.filter(({ view }) => isScalar(view) || view.types.length === 0)
  const next = (isNext: (plain: string) => boolean) =>
    signals.find(({ name, view }) => isNext(plainOf(name)) && !isUrl(view) && isText(view))
  // A page that takes text takes what the answer calls the next one.
  const cursor =
    scalar.find(({ plain }) => CURSORS.has(plain)) ??
    scalar.find(({ plain, view }) => plain === 'page' && isTextOnly(view))
  const nextCursor = next((plain) => NEXT_CURSORS.has(plain)) ?? next((plain) => plain === 'nextpage')
  const page = scalar.find(({ plain, view }) => PAGES.has(plain) && !isTextOnly(view))
  const offset = scalar.find(
    ({ plain, view, text }) =>
      OFFSETS.has(plain) &&
      !isTextOnly(view) &&
      !/date|time/i.test(text.slice(0, 60)) &&
      !(plain === 'first' && !/skip|offset/i.test(text)),
  )
  const size = scalar.find(
    ({ plain, view }) => SIZES.has(plain) && !isTextOnly(view) && plain !== offset?.plain,
  )
  const url = signals.find(({ name, view }) => NEXT_URLS.has(plainOf(name)) && isText(view))
  const more = signals.find(
    ({ name, view }) => MORE_FLAGS.has(plainOf(name)) && view.types.includes('boolean'),
  )
  const last = signals.find(
    ({ name, view }) => LAST_FLAGS.has(plainOf(name)) && view.types.includes('boolean'),
  )
  const sized = size ? sizeOf(size) : undefined
  const base = (
    found: { location: Paging['location']; parameters: readonly PageParameter[]; path: readonly string[] },
    more_?: Paging['stop'],
  ): Paging => ({
    location: found.location,
    parameters: [...found.parameters, ...(sized ? [sized.parameter] : [])],
    bodyPath: [],
    responsePath: found.path,
    ...(more_ && { stop: more_ }),
    ...(sized?.rows !== undefined && { pageSize: sized.rows }),
  })
  const filled = (...names: (string | undefined)[]) =>
    new Set([...names, size && !size.isRequired ? size.name : undefined].filter((name) => name !== undefined))
  if (cursor && nextCursor) {
    const stop = stopOf(more, last, nextCursor.path)
    const parameter: PageParameter = { name: cursor.name, kind: 'cursor', field: nextCursor.name }
    return {
      paging: base({ location, parameters: [parameter], path: nextCursor.path }, stop),
      filled: filled(cursor.name),
      why: `Pages by a cursor: \`${cursor.name}\` takes \`${dotted(nextCursor)}\` of the answer.`,
    }
  }
  const way = location === 'query' ? headerWayOf(scalar, headers) : undefined
  if (way?.kind === 'value') {
    const { parameter: name, header } = way
    const parameter: PageParameter = { name, kind: 'cursor', field: header, ofHeader: true }
    return {
      paging: base({ location, parameters: [parameter], path: [] }),
      filled: filled(name),
      why: `Pages by a header: \`${name}\` takes \`${header}\` of the answer.`,
    }
  }
  const lastRow = scalar.find(({ plain, isRequired }) => LAST_ROWS.has(plain) && !isRequired)
  if (lastRow && more && rowKey !== undefined) {
    const parameter: PageParameter = { name: lastRow.name, kind: 'cursor', field: rowKey, ofRow: true }
    return {
      paging: base(
        { location, parameters: [parameter], path: more.path },
        stopOf(more, undefined, undefined),
      ),
      filled: filled(lastRow.name),
      why: `Pages by the last row: \`${lastRow.name}\` takes its \`${rowKey}\`, until \`${more.name}\` of the answer ends it.`,
    }
  }
  const counted = page ?? offset
  if (counted && !counted.isRequired) {
    const stop =
      stopOf(more, last, undefined) ?? (url ? { path: url.path, stop: { field: url.name } } : undefined)
    const start = counted === page ? firstPage(counted) : 0
    const parameter: PageParameter = {
      name: counted.name,
      kind: 'counter',
      start,
      step: counted === page ? 1 : 'rows',
    }
    const path = more?.path ?? last?.path ?? url?.path ?? []
    const until = stop && 'stop' in stop ? stop.stop : stop
    return {
      paging: base({ location, parameters: [parameter], path }, until),
      filled: filled(counted.name),
      why: `Pages by the ${counted === page ? 'page number' : 'offset'} \`${counted.name}\`${until ? `, until \`${until.field}\` of the answer ends it` : ''}.`,
    }
  }
  if (location === 'query' && url && (isUrl(url.view) || url.view.name === undefined)) {
    return {
      paging: { ...base({ location: 'next_url', parameters: [], path: url.path }), nextUrlField: url.name },
      filled: filled(),
      why: `The answer names its next page at \`${dotted(url)}\`.`,
    }
  }
  const byLink = base({ location: 'link_header', parameters: [], path: [] })
  if (headers.includes('link'))
    return { paging: byLink, filled: filled(), why: 'The header `Link` names the next page.' }
  if (way?.kind === 'url')
    return {
      paging: { ...byLink, nextHeader: way.header },
      filled: filled(),
      why: `The header \`${way.header}\` names the next page.`,
    }
  if (way?.kind === 'unknown')
    return {
      paging: { ...byLink, nextHeader: NEXT_PAGE, isGuess: true },
      filled: filled(),
      why: `The document does not say what fills \`${way.parameter}\`: rows are marked where no header names the next page.`,
    }
  return undefined
}

/** A property around the rows that may say how to go on. */
interface Signal {
  readonly name: string
  readonly view: View
  readonly path: readonly string[]
}

function dotted({ path, name }: Signal): string {
  return [...path, name].join('.')
}

/** The properties beside the rows, and those one and two levels inside (`links.pages.next`). */
function signalsOf(around: readonly View[], path: readonly string[], schemas: Schemas): readonly Signal[] {
  return around.flatMap((view, depth) => inside(view, path.slice(0, depth), schemas, 0)).toReversed()
}

function inside(view: View, path: readonly string[], schemas: Schemas, depth: number): readonly Signal[] {
  const own = [...schemas.properties(view)].map(([name, schema]) => ({
    name,
    view: schemas.view(schema),
    path,
  }))
  if (depth === 2) return own
  const nested = own.filter(({ name }) =>
    /^_?(?:meta|metadata|links?|paging|pagination|page|pages|page_?info|info|cursors?|response_metadata)$/i.test(
      name,
    ),
  )
  return [...own, ...nested.flatMap((one) => inside(one.view, [...path, one.name], schemas, depth + 1))]
}

function stopOf(
  more: Signal | undefined,
  last: Signal | undefined,
  path: readonly string[] | undefined,
): Paging['stop'] {
  const isHere = (signal: Signal) => path === undefined || signal.path.join('.') === path.join('.')
  if (more && isHere(more)) return { field: more.name, equals: false }
  if (last && isHere(last)) return { field: last.name, equals: true }
  return undefined
}

function isUrl({ format, description = '', example }: View): boolean {
  return (
    /^(?:uri|url)/.test(format ?? '') ||
    /\burl\b|\blink\b|\bhref\b/i.test(description) ||
    /^https?:\/\//.test(scalarText(example) ?? '')
  )
}

function isText({ types }: View): boolean {
  return types.length === 0 || types.includes('string') || types.includes('integer')
}

/** Text that no number fits. */
function isTextOnly({ types, fallback, example }: View): boolean {
  return (
    types.includes('string') &&
    !types.includes('integer') &&
    !/^\d+$/.test(scalarText(fallback ?? example) ?? '')
  )
}

function firstPage({ view, text }: Candidate): number {
  const said = view.fallback ?? view.minimum
  if (typeof said === 'number') return said
  return wordsOf(text)
    .join(' ')
    .match(/start(?:s|ing)?(?: at| from)? (?:0|zero)|zero based|0 based|0 indexed|zero indexed/)
    ? 0
    : 1
}

/** Asks for pages of the size that the document names: its maximum up to 100, else its default. */
function sizeOf({
  name,
  view,
  text,
}: Candidate): { readonly parameter: PageParameter; readonly rows?: number } | undefined {
  const most =
    view.maximum ??
    numberAfter(text, /(?:max(?:imum)?|up to|at most|no more than|between \d+ and)\D{0,12}(\d{1,5})/i)
  const usual =
    typeof view.fallback === 'number' ? view.fallback : numberAfter(text, /default\D{0,12}(\d{1,5})/i)
  const rows = most !== undefined ? Math.min(most, Math.max(100, usual ?? 0)) : usual
  if (rows === undefined || rows < 1) return undefined
  const value: Json = rows
  return { parameter: { name, kind: 'fixed', value, isPageSize: true }, rows }
}

function numberAfter(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text.slice(0, 500))?.[1]
  return found === undefined ? undefined : Number(found)
}
