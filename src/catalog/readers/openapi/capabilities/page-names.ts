/* The names that APIs give to the parameters of paging, and to the members of an answer that lead to the next page. */

export const PAGES = new Set(['page', 'pagenumber', 'pageno', 'p', 'pageindex', 'currentpage', 'pagenum'])
export const OFFSETS = new Set([
  'offset',
  'skip',
  'start',
  'startat',
  'startindex',
  'from',
  'first',
  '$skip',
  'firstresult',
])
export const SIZES = new Set([
  'limit',
  'perpage',
  'pagesize',
  'size',
  'count',
  'maxresults',
  'top',
  '$top',
  'take',
  'num',
  'rows',
  'max',
  'resultsperpage',
  'first',
])
export const CURSORS = new Set([
  'cursor',
  'pagetoken',
  'nexttoken',
  'continuationtoken',
  'continuation',
  'after',
  'startcursor',
  'nextcursor',
  'marker',
  'pagecursor',
  'nextpagetoken',
  'startingtoken',
  'continue',
])
export const NEXT_CURSORS = new Set([
  'nextcursor',
  'nextpagetoken',
  'nexttoken',
  'endcursor',
  'continuationtoken',
  'continuation',
  'nextmarker',
  'lastid',
  'nextpagecursor',
  'cursor',
  'after',
  'next',
  'continue',
  'marker',
])
export const NEXT_URLS = new Set([
  'next',
  'nexturl',
  'nextlink',
  'nextpageurl',
  '@odata.nextlink',
  'nextpage',
  'odatanextlink',
  'nexthref',
])
export const MORE_FLAGS = new Set([
  'hasmore',
  'hasnext',
  'hasnextpage',
  'more',
  'ismore',
  'hasmorepages',
  'hasmoreitems',
  'istruncated',
  'truncated',
])
export const LAST_FLAGS = new Set(['lastpage', 'islast', 'islastpage', 'last', 'isend'])

/** Members that count all rows of a list. */
export const TOTALS = new Set([
  'total',
  'totalcount',
  'totalresults',
  'totalitems',
  'totalelements',
  'totalhits',
])

/** Members that count all pages of a list. */
export const PAGE_TOTALS = new Set(['totalpages', 'pagecount', 'pagestotal', 'lastpage', 'numpages', 'pages'])

/** Parameters that take the id of the last row that was read. */
export const LAST_ROWS = new Set(['startingafter', 'after', 'afterid', 'lastid', 'sinceid'])

/** Parameters that take the id of a row and list those before it or after it, themselves included or not. */
export const ROW_BOUNDS = new Set([
  'startingafter',
  'endingbefore',
  'afterid',
  'beforeid',
  'lastid',
  'sinceid',
  'maxid',
  'minid',
])

const ALL = [PAGES, OFFSETS, SIZES, CURSORS, NEXT_CURSORS, NEXT_URLS, MORE_FLAGS, LAST_FLAGS]

/** Whether a member of this name says where in the list an answer is. */
export function isPageMember(name: string): boolean {
  const plain = plainOf(name)
  return ALL.some((names) => names.has(plain))
}

/**
 * A name as the sets hold it: `nextToken` is `nexttoken`, `page[number]` is `pagenumber`; `page[offset]` and
 * `pagination[offset]` are `offset`.
 */
export function plainOf(name: string): string {
  const inner = /^(?:page|pagination|paging)\[(\w+)\]$/i.exec(name)?.[1] ?? name
  const plain = inner.toLowerCase().replaceAll(/[^a-z0-9$@.]/g, '')
  return inner !== name && plain === 'number' ? 'pagenumber' : plain
}
