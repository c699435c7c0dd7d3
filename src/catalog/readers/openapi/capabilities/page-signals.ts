import { scalarText } from '../../../../base/json.ts'
import type { Schemas } from '../schema/schemas.ts'
import type { View } from '../schema/view.ts'
import {
  LAST_FLAGS,
  MORE_FLAGS,
  NEXT_CURSORS,
  NEXT_URLS,
  PAGE_TOTALS,
  plainOf,
  TOTALS,
} from './page-names.ts'

/** A property around the rows that says how to go on. */
export interface Signal {
  readonly name: string
  readonly view: View
  /** The keys that lead to the object of the property. */
  readonly path: readonly string[]
}

/** What an answer says of the next page beside its rows. */
export interface PageSignals {
  readonly nextCursor: Signal | undefined
  readonly nextUrl: Signal | undefined
  /** True where there are more pages. */
  readonly more: Signal | undefined
  /** True on the last page. */
  readonly last: Signal | undefined
  /** The number of all rows. */
  readonly rows: Signal | undefined
  /** The number of all pages. */
  readonly pages: Signal | undefined
}

/** Searches the objects around the rows, of which the outermost is first, and what is one and two levels inside (`links.pages.next`). */
export function signalsOf(around: readonly View[], path: readonly string[], schemas: Schemas): PageSignals {
  const all = around.flatMap((view, depth) => inside(view, path.slice(0, depth), schemas, 0)).toReversed()
  const find = (fits: (plain: string, view: View) => boolean) =>
    all.find(({ name, view }) => fits(plainOf(name), view))
  const isCursor = (view: View) => !isUrl(view) && isText(view)
  return {
    nextCursor:
      find((plain, view) => NEXT_CURSORS.has(plain) && isCursor(view)) ??
      find((plain, view) => plain === 'nextpage' && isCursor(view)),
    nextUrl: find((plain, view) => NEXT_URLS.has(plain) && isText(view)),
    more: find((plain, view) => MORE_FLAGS.has(plain) && view.types.includes('boolean')),
    last: find((plain, view) => LAST_FLAGS.has(plain) && view.types.includes('boolean')),
    rows: find((plain, view) => TOTALS.has(plain) && isNumber(view)),
    pages: find((plain, view) => PAGE_TOTALS.has(plain) && isNumber(view)),
  }
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

/** Where the property stands in the answer: `meta.next`. */
export function dotted({ path, name }: Signal): string {
  return [...path, name].join('.')
}

export function isUrl({ format, description = '', example }: View): boolean {
  return (
    /^(?:uri|url)/.test(format ?? '') ||
    /\burl\b|\blink\b|\bhref\b/i.test(description) ||
    /^https?:\/\//.test(scalarText(example) ?? '')
  )
}

function isNumber({ types }: View): boolean {
  return types.length === 0 || types.includes('integer') || types.includes('number')
}

function isText({ types }: View): boolean {
  return types.length === 0 || types.includes('string') || types.includes('integer')
}
