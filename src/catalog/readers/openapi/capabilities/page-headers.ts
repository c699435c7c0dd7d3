import { CURSORS, NEXT_CURSORS, PAGES, plainOf, ROW_BOUNDS, SIZES } from './page-names.ts'

/** How a header leads to the next page. */
export type HeaderWay =
  /** A parameter takes its value. */
  | { readonly kind: 'value'; readonly parameter: string; readonly header: string }
  /** It is the URL of the next page. */
  | { readonly kind: 'url'; readonly header: string }
  /** A parameter takes a token or the id of a row, and the document does not say from where. */
  | { readonly kind: 'unknown'; readonly parameter: string }

/** A query parameter, by its name and by the name as the sets of names hold it. */
interface Named {
  readonly name: string
  readonly plain: string
  readonly isRequired: boolean
}

/** The header that APIs with tokens use for the URL of the next page. */
export const NEXT_PAGE = 'next-page'

/**
 * The way to the next page by a header other than `Link`: `X-Next-Cursor`, `X-Next-Page` with a page number, `Next-Page` with a URL.
 *
 * @param headers that the document declares, lowercase
 */
export function headerWayOf(candidates: readonly Named[], headers: readonly string[]): HeaderWay | undefined {
  const optional = candidates.filter(({ isRequired }) => !isRequired)
  const isSized = optional.some(({ plain }) => SIZES.has(plain))
  const token = optional.find(({ plain }) => isToken(plain) || (plain === 'token' && isSized))
  const cursor = token ?? optional.find(({ plain }) => CURSORS.has(plain))
  const page = optional.find(({ plain }) => PAGES.has(plain))
  const named = (isNamed: (plain: string) => boolean) =>
    headers.find((header) => isNamed(plainOf(header.replace(/^x-/, ''))))
  const nextCursor = named((plain) => plain !== 'next' && NEXT_CURSORS.has(plain))
  const nextPage = named((plain) => plain === 'nextpage')
  if (cursor && nextCursor !== undefined) return { kind: 'value', parameter: cursor.name, header: nextCursor }
  if (page && nextPage !== undefined) return { kind: 'value', parameter: page.name, header: nextPage }
  if (cursor && nextPage !== undefined) return { kind: 'url', header: nextPage }
  const unknown = token ?? optional.find(({ plain }) => ROW_BOUNDS.has(plain))
  return unknown && { kind: 'unknown', parameter: unknown.name }
}

/** A name that says of itself that it leads through pages. */
function isToken(plain: string): boolean {
  return CURSORS.has(plain) && /cursor|token/.test(plain)
}
