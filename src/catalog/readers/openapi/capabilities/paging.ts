import type { PageParameter, Paging } from '../../../calls/http-request.ts'
import type { Placed } from '../entities/places.ts'
import type { Schemas } from '../schema/schemas.ts'
import { type HeaderWay, headerWayOf, NEXT_PAGE } from './page-headers.ts'
import { dotted, isUrl, type PageSignals, type Signal, signalsOf } from './page-signals.ts'
import { bodySlots, firstOffset, firstPage, type PageSlots, querySlots, sizeOf } from './page-slots.ts'

/** How a list is read on, and the parameters that paging fills. */
export interface FoundPaging {
  readonly paging: Paging
  readonly filled: ReadonlySet<string>
  readonly why: string
}

/** What is known of the pages of a list. */
interface Pages {
  readonly location: 'query' | 'body'
  readonly slots: PageSlots
  readonly signals: PageSignals
  /** The headers of the answer, lowercase. */
  readonly headers: readonly string[]
  readonly headerWay: HeaderWay | undefined
  /** The field that tells the rows apart. */
  readonly rowKey: string | undefined
}

type Way = (pages: Pages) => FoundPaging | undefined

/** The ways to read on, the surest first. */
const WAYS: readonly Way[] = [byCursor, byHeaderValue, byLastRow, byCounter, byUrl, byHeader, bySize]

/** Finds out how a list is paged, from its parameters, from the answer around the rows and from its headers. */
export function pagingOf({ operation, answer }: Placed, schemas: Schemas): FoundPaging | undefined {
  const { headers } = operation.answer
  const signals = signalsOf(answer.around, answer.path, schemas)
  const rowKey = schemas.properties(answer.view).has('id') ? 'id' : undefined
  const slots = querySlots(operation, schemas)
  const headerWay = headerWayOf(slots.scalar, headers)
  const byQuery = firstOf({ location: 'query', slots, signals, headers, headerWay, rowKey })
  if (byQuery || operation.method === 'GET') return byQuery
  const inBody = bodySlots(operation, schemas)
  return firstOf({ location: 'body', slots: inBody, signals, headers: [], headerWay: undefined, rowKey })
}

function firstOf(pages: Pages): FoundPaging | undefined {
  for (const way of WAYS) {
    const found = way(pages)
    if (found) return found
  }
  return undefined
}

function byCursor(pages: Pages): FoundPaging | undefined {
  const { cursor } = pages.slots
  const { nextCursor } = pages.signals
  if (!cursor || !nextCursor) return undefined
  const isBeside = (signal: Signal) => signal.path.join('.') === nextCursor.path.join('.')
  return paged(pages, {
    location: pages.location,
    parameter: { name: cursor.name, kind: 'cursor', field: nextCursor.name },
    path: nextCursor.path,
    stop: endOf(pages.signals, isBeside)?.stop,
    why: `Pages by a cursor: \`${cursor.name}\` takes \`${dotted(nextCursor)}\` of the answer.`,
  })
}

function byHeaderValue(pages: Pages): FoundPaging | undefined {
  const { headerWay: way } = pages
  if (way?.kind !== 'value') return undefined
  return paged(pages, {
    location: pages.location,
    parameter: { name: way.parameter, kind: 'cursor', field: way.header, ofHeader: true },
    why: `Pages by a header: \`${way.parameter}\` takes \`${way.header}\` of the answer.`,
  })
}

function byLastRow(pages: Pages): FoundPaging | undefined {
  const { lastRow } = pages.slots
  const { more } = pages.signals
  // Names such as `after` may take a date: that the answer says whether there is more tells them apart.
  const isSure = more !== undefined || lastRow?.plain === 'startingafter' || lastRow?.plain === 'afterid'
  if (!lastRow || !isSure || pages.rowKey === undefined) return undefined
  return paged(pages, {
    location: pages.location,
    parameter: { name: lastRow.name, kind: 'cursor', field: pages.rowKey, ofRow: true },
    path: more?.path ?? [],
    stop: endOf({ more })?.stop,
    why: `Pages by the last row: \`${lastRow.name}\` takes its \`${pages.rowKey}\`${until(more?.name)}.`,
  })
}

function until(field: string | undefined): string {
  return field === undefined ? '' : `, until \`${field}\` of the answer ends it`
}

function byCounter(pages: Pages): FoundPaging | undefined {
  const { page, offset } = pages.slots
  const counter = page ?? offset
  if (!counter || counter.isRequired) return undefined
  const { nextUrl } = pages.signals
  const end = endOf(pages.signals) ?? (nextUrl && { path: nextUrl.path, stop: { field: nextUrl.name } })
  const start = page ? firstPage(page) : firstOffset(counter, pages.slots.size)
  const total = totalOf(pages.signals, page !== undefined)
  return paged(pages, {
    location: pages.location,
    parameter: { name: counter.name, kind: 'counter', start, step: page ? 1 : 'rows' },
    path: end?.path ?? [],
    stop: end?.stop,
    total,
    why: `Pages by the ${page ? 'page number' : 'offset'} \`${counter.name}\`${until(end?.stop.field)}.`,
  })
}

/** The member that counts all rows, or all pages of a list that is read page by page. */
function totalOf({ rows, pages }: PageSignals, byPages: boolean): Paging['total'] {
  if (rows) return { path: [...rows.path, rows.name], counts: 'rows' }
  return pages && byPages ? { path: [...pages.path, pages.name], counts: 'pages' } : undefined
}

function byUrl(pages: Pages): FoundPaging | undefined {
  const { nextUrl } = pages.signals
  if (pages.location !== 'query' || !nextUrl) return undefined
  if (!isUrl(nextUrl.view) && nextUrl.view.name !== undefined) return undefined
  return paged(pages, {
    location: 'next_url',
    path: nextUrl.path,
    nextUrlField: nextUrl.name,
    why: `The answer names its next page at \`${dotted(nextUrl)}\`.`,
  })
}

function byHeader(pages: Pages): FoundPaging | undefined {
  const { headers, headerWay: way } = pages
  const location = 'link_header'
  if (headers.includes('link'))
    return paged(pages, { location, why: 'The header `Link` names the next page.' })
  if (way?.kind === 'url')
    return paged(pages, {
      location,
      nextHeader: way.header,
      why: `The header \`${way.header}\` names the next page.`,
    })
  if (way?.kind === 'unknown')
    return paged(pages, {
      location,
      nextHeader: NEXT_PAGE,
      isGuess: true,
      why: `The document does not say what fills \`${way.parameter}\`: rows are marked where no header names the next page.`,
    })
  return undefined
}

/** Sizes by whose names alone it is known what they are. */
const PLAIN_SIZES = new Set([
  'limit',
  'perpage',
  'pagesize',
  'maxresults',
  'resultsperpage',
  'top',
  '$top',
  'take',
])

/** The most rows that are asked for at once where nothing leads further. */
const MOST_AT_ONCE = 1000

/** Nothing leads further than the first rows: all that can be had are asked for, and as many as were asked for may not be all. */
function bySize({ location, slots: { size }, signals }: Pages): FoundPaging | undefined {
  if (location !== 'query' || !size || size.isRequired || !PLAIN_SIZES.has(size.plain)) return undefined
  const sized = sizeOf(size, MOST_AT_ONCE)
  if (!sized) return undefined
  const total = totalOf(signals, false)
  const { parameter, rows, isMost } = sized
  return {
    paging: {
      location: 'link_header',
      isGuess: true,
      parameters: isMost ? [parameter] : [],
      bodyPath: [],
      responsePath: [],
      ...(total && { total }),
      pageSize: rows,
      ...(!isMost && { sizeArgument: size.name }),
    },
    filled: new Set(isMost ? [size.name] : []),
    why: `The document does not say what comes after \`${size.name}\` rows: as many are marked.`,
  }
}

interface End {
  readonly path: readonly string[]
  readonly stop: { readonly field: string; readonly equals?: boolean }
}

/** The flag that ends the list, if it stands at a place that is read. */
function endOf(
  { more, last }: Partial<PageSignals>,
  isRead: (signal: Signal) => boolean = () => true,
): End | undefined {
  if (more && isRead(more)) return { path: more.path, stop: { field: more.name, equals: false } }
  if (last && isRead(last)) return { path: last.path, stop: { field: last.name, equals: true } }
  return undefined
}

/** How the pages go on, and why that is thought. */
interface Found extends Pick<Paging, 'location' | 'nextUrlField' | 'nextHeader' | 'isGuess'> {
  readonly why: string
  /** The parameter that names the page, where no URL does. */
  readonly parameter?: PageParameter
  readonly path?: readonly string[]
  readonly stop?: Paging['stop'] | undefined
  readonly total?: Paging['total'] | undefined
}

/** Pages of this kind, and of the size that a parameter can ask for. */
function paged(
  { slots: { size } }: Pages,
  { why, parameter, path = [], stop, total, ...found }: Found,
): FoundPaging {
  const sized = size && sizeOf(size)
  const own = parameter ? [parameter] : []
  const filled = new Set(own.map(({ name }) => name))
  if (size && !size.isRequired) filled.add(size.name)
  return {
    paging: {
      ...found,
      parameters: [...own, ...(sized ? [sized.parameter] : [])],
      bodyPath: [],
      responsePath: path,
      ...(stop && { stop }),
      ...(total && { total }),
      ...(sized && { pageSize: sized.rows }),
    },
    filled,
    why,
  }
}
