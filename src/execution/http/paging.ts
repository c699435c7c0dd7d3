import { canonicalJson, type ExactJson, type Json, sameJson } from '../../base/canonical.ts'
import { fingerprint } from '../../base/hash.ts'
import { once } from '../../base/once.ts'
import type { Paging, PageParameter } from '../../catalog/calls/http-request.ts'
import { child, isList, isRecord, recordOf, scalarText, walk, walkField } from '../../base/json.ts'
import type { PageState } from './page-state.ts'
import { repeated } from './request/build.ts'
import type { UnaddressedCall, WireCall, WireReply } from '../wire.ts'

/** Where reading goes on, or why it does not. */
export type Advance =
  | { readonly next: PageState }
  /** `isGuess`: the answer says that there is more, and not where. */
  | { readonly end: true; readonly isGuess?: true }
  | { readonly repeated: true }
  | { readonly foreign: string }

/** Cycles longer than this are left to the budget. */
const MAX_SEEN = 64

/** Some APIs answer pages without a row where none passes a filter; others name a next page for ever. */
const MAX_EMPTY = 20

/** The call for a page. */
export function pageCall(call: UnaddressedCall, paging: Paging, state: PageState): UnaddressedCall {
  if (state.next !== undefined) {
    const { body: _, ...rest } = call
    const target = state.next.startsWith('/') ? { path: state.next } : { url: state.next }
    return { ...rest, target, query: [] }
  }
  const sent = paging.parameters.flatMap((parameter): (readonly [string, Json])[] => {
    const value = sentValue(parameter, state)
    return value === undefined ? [] : [[parameter.name, value]]
  })
  if (paging.location === 'body')
    return {
      ...call,
      body: {
        format: 'json',
        ...call.body,
        value: mergedBody(call.body?.value ?? {}, paging.bodyPath, sent),
      },
    }
  if (paging.location !== 'query' && sent.length === 0) return call
  const names = new Set(sent.map(([name]) => name))
  return {
    ...call,
    query: [
      ...call.query.filter(([name]) => !names.has(name)),
      ...sent.flatMap(([name, value]) => repeated(name, value)),
    ],
  }
}

function sentValue(parameter: PageParameter, state: PageState): Json | undefined {
  if (parameter.kind !== 'fixed') return child(state.values, parameter.name)
  return parameter.isPageSize && state.size !== undefined && typeof parameter.value === 'number'
    ? Math.min(state.size, parameter.value)
    : parameter.value
}

function mergedBody(
  body: ExactJson,
  path: readonly string[],
  sent: readonly (readonly [string, ExactJson])[],
): ExactJson {
  const [key, ...rest] = path
  const held = isRecord(body) ? body : {}
  if (key === undefined) return recordOf([...Object.entries(held), ...sent])
  return recordOf([...Object.entries(held), [key, mergedBody(child(held, key) ?? {}, rest, sent)]])
}

/**
 * What comes after a page. Reading stops only on what is known: the template's stop, the total that the answer states, an
 * absent cursor or link, a repetition; where nothing else tells the end, an empty page or one that is shorter than a size that
 * the template states.
 *
 * @param sent the call as it was sent (its catalog says which links may be followed) and its reply
 * @param rows the page's rows, before any filter
 */
export function advance(
  paging: Paging,
  state: PageState,
  { call, reply }: { readonly call: WireCall; readonly reply: WireReply },
  rows: readonly Json[],
): Advance {
  const empty = rows.length === 0 ? (state.empty ?? 0) + 1 : 0
  const { read, empty: _, expects: __, ...before } = state
  const counted = { ...before, ...(read !== undefined && { read: read + rows.length }) }
  const moved =
    paging.location === 'link_header' || paging.location === 'next_url'
      ? byLink(paging, counted, call, reply)
      : byValues(paging, counted, reply, rows)
  if (!('next' in moved)) return moved
  const key = fingerprint(canonicalJson(moved.next.next ?? moved.next.values))
  // The last place of a list that grows: an API names it for the next visit.
  if (state.seen.includes(key)) return empty > 0 ? { end: true } : { repeated: true }
  if (empty > MAX_EMPTY) return { end: true, isGuess: true }
  const marks = empty > 0 ? state.marks : [...state.marks, pageMark(rows)].slice(-MAX_SEEN)
  const seen = [...state.seen, key].slice(-MAX_SEEN)
  const largest = Math.max(state.largest ?? 0, rows.length)
  const expects: PageState['expects'] = statesMore(paging, counted, reply)
    ? 'rows'
    : rows.length < largest
      ? 'end'
      : undefined
  const known = { ...(empty > 0 && { empty }), ...(expects && { expects }) }
  return { next: { ...moved.next, skip: 0, seen, marks, largest, ...known } }
}

/** Whether an answer states that there are more rows. */
function statesMore(paging: Paging, counted: PageState, reply: WireReply): boolean {
  const { stop, responsePath } = paging
  const fields = walk(reply.body, responsePath)
  const flag = stop && walkField(fields, stop.field)
  return isLeft(paging, counted, reply) === true || (stop !== undefined && (flag ?? null) !== null)
}

/**
 * Does an API say with this status of a counted page that it lies behind the last one? Not where the page before it states
 * that there are more rows. A rejection has other reasons as well, such as a bound on offsets: it is an end behind a page that
 * is shorter than one before it.
 */
export function isBehindLast(paging: Paging, state: PageState, status: number | undefined): boolean {
  const isCounted =
    (paging.location === 'query' || paging.location === 'body') &&
    paging.parameters.some(({ kind }) => kind === 'counter') &&
    paging.parameters.every(({ kind }) => kind !== 'cursor')
  if (!isCounted || state.seen.length === 0 || state.expects === 'rows') return false
  if (status === 404 || status === 416) return true
  return (status === 400 || status === 422) && state.expects === 'end'
}

/**
 * Enough to tell two pages of as many rows apart: so many rows at both ends, and so many values; of a long text or list its
 * length, its beginning and its end.
 */
const TELLING = { rows: 5, values: 10_000, items: 100, characters: 200 }

/** Pages of one mark hold the same. An API writes the same row with its keys in the same order. */
const pageMark = once((rows: readonly Json[]) => {
  let values = 0
  const telling = (_: string, held: Json): Json | undefined => {
    if (++values > TELLING.values) return undefined
    if (typeof held === 'string') return endsOf(held, TELLING.characters)
    return isList(held) ? endsOf(held, TELLING.items) : held
  }
  const first = rows.slice(0, TELLING.rows)
  const last = rows.slice(TELLING.rows).slice(-TELLING.rows)
  return fingerprint(JSON.stringify([rows.length, first, last], telling))
})

function endsOf(held: string | readonly Json[], most: number): Json {
  return held.length <= 2 * most ? held : [held.length, held.slice(0, most), held.slice(-most)]
}

/**
 * May there be rows behind this last page? Only where the document does not say how pages go on, no header led to this one, and
 * the answer does not count its rows.
 */
export function isGuessedEnd(
  paging: Paging,
  state: PageState,
  reply: WireReply,
  rows: readonly Json[],
): boolean {
  if (paging.isGuess !== true || state.seen.length > 0 || rows.length === 0) return false
  const { stop, responsePath, pageSize = 0 } = paging
  const fields = walk(reply.body, responsePath)
  if (stop && (walkField(fields, stop.field) ?? null) !== null) return !stops(stop, fields)
  return isLeft(paging, { ...state, read: rows.length }, reply) ?? rows.length >= (state.size ?? pageSize)
}

/** Did an earlier page hold the same rows? */
export function isRepeated({ marks }: PageState, rows: readonly Json[]): boolean {
  return marks.length > 0 && rows.length > 0 && marks.includes(pageMark(rows))
}

function byValues(paging: Paging, state: PageState, reply: WireReply, rows: readonly Json[]): Advance {
  const count = rows.length
  const fields = walk(reply.body, paging.responsePath)
  if (paging.stop && stops(paging.stop, fields)) return { end: true }
  const values: (readonly [string, Json])[] = []
  let counters = 0
  let absent = false
  for (const parameter of paging.parameters) {
    if (parameter.kind === 'counter') {
      counters++
      const now = child(state.values, parameter.name)
      values.push([
        parameter.name,
        (typeof now === 'number' ? now : parameter.start) + stepOf(parameter.step, paging, state, count),
      ])
    } else if (parameter.kind === 'cursor') {
      const cursor = parameter.ofHeader
        ? reply.headers[parameter.field]
        : walkField(parameter.ofRow ? rows.at(-1) : fields, parameter.field)
      if (cursor === undefined || cursor === null || cursor === '' || cursor === false) absent = true
      else values.push([parameter.name, cursor])
    }
  }
  if (values.length === 0 || (absent && (!paging.stop || counters === 0))) return { end: true }
  const next = { ...state, values: recordOf(values) }
  return counters < values.length ? { next } : byCount(paging, state, reply, { next, count })
}

/** Whether pages that are counted go on, after a page of so many rows. */
function byCount(
  paging: Paging,
  state: PageState,
  reply: WireReply,
  { next, count }: { readonly next: PageState; readonly count: number },
): Advance {
  const left = isLeft(paging, state, reply)
  if (left === false) return { end: true }
  if (count === 0) {
    const saysMore =
      paging.stop !== undefined &&
      walkField(walk(reply.body, paging.responsePath), paging.stop.field) !== undefined
    const steps = paging.parameters.some((one) => one.kind === 'counter' && one.step !== 'rows')
    if (saysMore && steps) return { next }
    return { end: true, ...((saysMore || left) && { isGuess: true as const }) }
  }
  const size = state.size ?? paging.pageSize
  const isShort = size !== undefined && count < size
  // An API may give smaller pages than it is asked for: a total or a flag says more than the size.
  return isShort && !paging.stop && left === undefined ? { end: true } : { next }
}

/** Whether the total that an answer states, in its body or in a header, says that there are more rows; undefined: it says nothing. */
function isLeft({ total, parameters }: Paging, state: PageState, reply: WireReply): boolean | undefined {
  const stated = total && countOf(walk(reply.body, total.path))
  if (stated !== undefined && total?.counts === 'pages') {
    const [page] = parameters.filter((parameter) => parameter.kind === 'counter')
    const now = child(state.values, page?.name ?? '')
    return typeof now === 'number' && page ? isBelow(now - page.start + 1, stated) : undefined
  }
  const all = stated ?? countOf(reply.headers['x-total-count'] ?? reply.headers['x-total'])
  return all === undefined || state.read === undefined ? undefined : isBelow(state.read, all)
}

/** Undefined where the total is smaller: it counts something else. */
function isBelow(read: number, all: number): boolean | undefined {
  return read > all ? undefined : read < all
}

function countOf(value: Json | undefined): number | undefined {
  const text = scalarText(value) ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Offsets that step by pages step by the smaller page where a smaller one is asked for: else rows would be skipped. */
function stepOf(step: number | 'rows', paging: Paging, state: PageState, count: number): number {
  if (step === 'rows') return count
  return state.size !== undefined && step === paging.pageSize ? state.size : step
}

function stops(stop: NonNullable<Paging['stop']>, fields: Json | undefined): boolean {
  const value = walkField(fields, stop.field)
  if (stop.equals === undefined) return value === undefined || value === null
  return value !== undefined && sameJson(value, stop.equals)
}

function byLink(paging: Paging, state: PageState, call: WireCall, reply: WireReply): Advance {
  const { catalog } = call
  const text =
    paging.location === 'link_header'
      ? (nextLink(reply.headers['link'] ?? '') ?? reply.headers[paging.nextHeader ?? ''])
      : namedUrl(paging, reply)
  if (text === undefined || text === '') return { end: true }
  const origin = new URL(catalog.origin)
  let url: URL
  try {
    url = new URL(
      text,
      'url' in call.target
        ? call.target.url
        : `${origin.origin}${origin.pathname.replace(/\/$/, '')}${call.target.path}`,
    )
  } catch {
    return { foreign: 'an address that cannot be read' }
  }
  const declared = [catalog.origin, ...catalog.otherOrigins].map((one) => new URL(one).origin)
  if (!declared.includes(url.origin) || url.username !== '' || url.password !== '')
    return { foreign: url.origin }
  if (catalog.auth.scheme === 'api_key' && catalog.auth.in === 'query')
    url.searchParams.delete(catalog.auth.name)
  url.hash = ''
  return { next: { ...state, next: belowOrigin(catalog.origin, url.href) } }
}

/** The part of a URL below the address of a catalog, with its leading slash; the whole URL where it lies elsewhere. */
function belowOrigin(origin: string, url: string): string {
  const base = new URL(origin).href.replace(/\/$/, '')
  return url.startsWith(`${base}/`) ? url.slice(base.length) : url
}

function namedUrl(paging: Paging, reply: WireReply): string | undefined {
  const found =
    paging.nextUrlField === undefined
      ? undefined
      : walkField(walk(reply.body, paging.responsePath), paging.nextUrlField)
  return typeof found === 'string' ? found : undefined
}

/** The target of `rel="next"` in a Link header (RFC 8288). */
export function nextLink(header: string): string | undefined {
  for (const match of header.slice(0, 16_384).matchAll(/<([^<>]*)>((?:[^,"<]|"[^"]*")*)/g)) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(match[2] ?? '')
    if ((rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/).includes('next')) return match[1]
  }
  return undefined
}
