import type { Json } from '../../../../base/canonical.ts'
import { scalarText } from '../../../../base/json.ts'
import { wordsOf } from '../../../../base/words/names.ts'
import type { PageParameter } from '../../../calls/http-request.ts'
import type { Operation } from '../source/operation.ts'
import type { Schemas } from '../schema/schemas.ts'
import { isScalar, type View } from '../schema/view.ts'
import { CURSORS, LAST_ROWS, OFFSETS, PAGES, plainOf, SIZES } from './page-names.ts'

/** A parameter that paging may fill: of the query, or a property of the body. */
interface Slot {
  readonly name: string
  readonly plain: string
  readonly view: View
  readonly text: string
  readonly isRequired: boolean
}

/** The parameters of a request that name a page, by what they take. */
export interface PageSlots {
  /** All parameters that take one value. */
  readonly scalar: readonly Slot[]
  readonly cursor: Slot | undefined
  readonly page: Slot | undefined
  readonly offset: Slot | undefined
  readonly size: Slot | undefined
  /** The id of the last row that was read. */
  readonly lastRow: Slot | undefined
}

export function querySlots({ parameters }: Operation, schemas: Schemas): PageSlots {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  return slotsOf(
    query.flatMap(({ name, schema, isRequired, description, pairs }) => {
      const view = schemas.view(schema)
      if (pairs !== 'brackets') return [slotOf(name, view, isRequired, description)]
      return [...schemas.properties(view)].map(([key, inner]) =>
        slotOf(`${name}[${key}]`, schemas.view(inner), isRequired && view.required.has(key)),
      )
    }),
  )
}

export function bodySlots({ body }: Operation, schemas: Schemas): PageSlots {
  const properties = [...schemas.properties(schemas.view(body?.schema))]
  return slotsOf(properties.map(([name, schema]) => slotOf(name, schemas.view(schema), false)))
}

function slotOf(name: string, view: View, isRequired: boolean, description = ''): Slot {
  return { name, plain: plainOf(name), view, isRequired, text: `${description} ${view.description ?? ''}` }
}

function slotsOf(slots: readonly Slot[]): PageSlots {
  const scalar = slots.filter(({ view }) => isScalar(view) || view.types.length === 0)
  const offset = scalar.find(
    ({ plain, view, text }) =>
      OFFSETS.has(plain) &&
      !isTextOnly(view) &&
      !/date|time/i.test(text.slice(0, 60)) &&
      !(plain === 'first' && !/skip|offset/i.test(text)),
  )
  const page = scalar.find(({ plain, view }) => PAGES.has(plain) && !isTextOnly(view))
  const sizes = scalar.filter(
    ({ plain, view }) => SIZES.has(plain) && !isTextOnly(view) && plain !== offset?.plain,
  )
  return {
    scalar,
    // A page that takes text takes what the answer calls the next one.
    cursor:
      scalar.find(({ plain }) => CURSORS.has(plain)) ??
      scalar.find(({ plain, view }) => plain === 'page' && isTextOnly(view)),
    page,
    offset,
    // Of two ways to page, each has a size of its own.
    size: page ? (sizes.find(({ plain }) => /size|per/.test(plain)) ?? sizes[0]) : sizes[0],
    lastRow: scalar.find(({ plain, isRequired }) => LAST_ROWS.has(plain) && !isRequired),
  }
}

/** Text that no number fits. */
function isTextOnly({ types, fallback, example }: View): boolean {
  return (
    types.includes('string') &&
    !types.includes('integer') &&
    !/^\d+$/.test(scalarText(fallback ?? example) ?? '')
  )
}

/** The number of the first page: 1 unless the document says otherwise. */
export function firstPage({ view, text }: Slot): number {
  const said = view.fallback ?? view.minimum
  if (typeof said === 'number') return said
  return wordsOf(text)
    .join(' ')
    .match(/start(?:s|ing)?(?: at| from)? (?:0|zero)|zero based|0 based|0 indexed|zero indexed/)
    ? 0
    : 1
}

/** The number of the first row: 0 unless the document says otherwise; 1 in SCIM (RFC 7644, 3.4.2.4). */
export function firstOffset({ view, plain, text }: Slot, size: Slot | undefined): number {
  if ((view.fallback ?? view.minimum) === 1 || /\b1[- ](?:based|indexed)/i.test(text)) return 1
  return plain === 'startindex' && size?.plain === 'count' ? 1 : 0
}

/** A size to ask for; `isMost`: the document names the largest one. */
interface Size {
  readonly parameter: PageParameter
  readonly rows: number
  readonly isMost: boolean
}

/** Asks for pages of the size that the document names: its maximum up to a bound, else its default. */
export function sizeOf({ name, view, text }: Slot, bound = 100): Size | undefined {
  const most =
    view.maximum ??
    numberAfter(text, /(?:max(?:imum)?|up to|at most|no more than|between \d+ and)\D{0,12}(\d{1,5})/i)
  const usual =
    typeof view.fallback === 'number' ? view.fallback : numberAfter(text, /default\D{0,12}(\d{1,5})/i)
  const rows = most !== undefined ? Math.min(most, Math.max(bound, usual ?? 0)) : usual
  if (rows === undefined || rows < 1) return undefined
  const value: Json = rows
  return { parameter: { name, kind: 'fixed', value, isPageSize: true }, rows, isMost: most !== undefined }
}

function numberAfter(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text.slice(0, 500))?.[1]
  return found === undefined ? undefined : Number(found)
}
