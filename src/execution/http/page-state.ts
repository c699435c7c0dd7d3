import type { ExactJson, Json } from '../../base/canonical.ts'
import { child, digitsAsText, isList, isRecord, recordOf } from '../../base/json.ts'
import type { Paging } from '../../catalog/calls/http-request.ts'

/** Where a read stands between two pages: plain data that holds no credential. */
export interface PageState {
  /** Current values of counters and cursors. */
  readonly values: { readonly [name: string]: Json }
  /**
   * The next page, where the API names its URL: below the catalog's own address as a path, so that it follows the catalog
   * to another address; else the whole URL.
   */
  readonly next?: string
  /** Rows asked for in one page, where that is less than the template says or the caller's own; the same on every page of a read. */
  readonly size?: number
  /** Rows of this page that were handed out already. */
  readonly skip: number
  /** Rows of the pages so far; absent where the caller chose the first page. */
  readonly read?: number
  /** Pages without a row before this one, one after another. */
  readonly empty?: number
  /** Rows of the largest page so far. */
  readonly largest?: number
  /** What the page before this one says of it; absent: nothing. */
  readonly expects?: 'rows' | 'end'
  /** Fingerprints of the requests so far: a repeated one would go round for ever. */
  readonly seen: readonly string[]
  /** Fingerprints of the rows of the pages so far. */
  readonly marks: readonly string[]
}

/**
 * The first page. A caller's own value for a counter is where it starts.
 *
 * @param size the most rows that are wanted of a page
 */
export function firstPage(
  paging: Paging | undefined,
  given: ReadonlyMap<string, ExactJson>,
  size: number | undefined,
): PageState {
  const values = (paging?.parameters ?? []).flatMap((parameter): (readonly [string, Json])[] => {
    const own = given.get(parameter.name)
    if (parameter.kind === 'counter')
      return [[parameter.name, typeof own === 'number' ? own : parameter.start]]
    return parameter.kind === 'cursor' && own !== undefined && own !== null
      ? [[parameter.name, digitsAsText(own)]]
      : []
  })
  const isChosen = paging?.parameters.some(({ kind, name }) => kind === 'counter' && given.has(name))
  const known = paging?.pageSize
  const chosen = paging?.sizeArgument === undefined ? undefined : given.get(paging.sizeArgument)
  const smaller = size !== undefined && known !== undefined && size < known ? size : undefined
  return {
    values: recordOf(values),
    ...(smaller !== undefined && { size: smaller }),
    ...(typeof chosen === 'number' && { size: chosen }),
    skip: 0,
    ...(!isChosen && { read: 0 }),
    seen: [],
    marks: [],
  }
}

/** A kept state, read back; nothing where it is none. */
export function readPageState(value: Json | undefined): PageState | undefined {
  if (!isRecord(value)) return undefined
  const [values, next, seen, marks] = ['values', 'next', 'seen', 'marks'].map((key) => child(value, key))
  const [size, skip, read, empty] = ['size', 'skip', 'read', 'empty'].map((key) => child(value, key))
  const [largest, expects] = ['largest', 'expects'].map((key) => child(value, key))
  if (!isRecord(values) || typeof skip !== 'number' || !isList(seen)) return undefined
  return {
    values,
    skip,
    seen: seen.filter((one) => typeof one === 'string'),
    marks: isList(marks) ? marks.filter((one) => typeof one === 'string') : [],
    ...(typeof next === 'string' && { next }),
    ...(typeof size === 'number' && { size }),
    ...(typeof read === 'number' && { read }),
    ...(typeof empty === 'number' && { empty }),
    ...(typeof largest === 'number' && { largest }),
    ...((expects === 'rows' || expects === 'end') && { expects }),
  }
}
