import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql'
import type { PageParameter, Paging } from '../../calls/http-request.ts'
import { PAGE_SIZE } from './bounds.ts'
import { plainFieldsOf, type RowsResult, type SchemaField } from './shapes.ts'

const SIZE = /^(?:first|limit|take|count|size|top|max_?results|per_?page|page_?size|results_?per_?page)$/i
const OFFSET = /^(?:offset|skip|start|start_?index)$/i
const PAGE = /^(?:page|page_?number|page_?no|page_?index)$/i
const CURSOR = /^(?:after|cursor|after_?cursor|page_?token|next_?token|continuation_?token|start_?cursor)$/i
/** What a connection is read by backwards. */
const BACKWARDS = /^(?:last|before)$/
const NEXT_CURSOR = /^(?:end_?cursor|next_?cursor|cursor|next_?token|next_?page_?token|next)$/i
const NEXT_PAGE = /^(?:next|next_?page)$/i
const HAS_MORE = /^(?:has_?next_?page|has_?next|has_?more(?:_?pages)?|more)$/i
const CURRENT_PAGE = /^current_?page$/i

/** The paging of a list, the arguments that it takes over, and what is asked for beside the rows. */
export interface ListPaging {
  readonly paging: Paging
  readonly takes: ReadonlySet<string>
  /** The selection inside the object around the list, besides the list. */
  readonly selection: string
}

/**
 * How the pages of a list are read, if the arguments of its field tell: by a cursor, a page number or an offset.
 *
 * @param base the path in the answer to the field's value
 */
export function pagingOf(
  { args }: SchemaField,
  { holder }: RowsResult,
  base: readonly string[],
): ListPaging | undefined {
  const size = args.find(({ name }) => SIZE.test(name))
  const signs = holder ? signsOf(holder) : []
  const cursor = args.find(({ name }) => CURSOR.test(name))
  const page = args.find(({ name }) => PAGE.test(name))
  // Without a default nothing tells whether pages count from 0 or 1: a wrong guess would lose rows.
  // What names the page that it answers counts them from 1.
  const start =
    page && (firstPageOf(page) ?? (signs.some(({ name }) => CURRENT_PAGE.test(name)) ? 1 : undefined))
  const offset = args.find(({ name }) => OFFSET.test(name))
  const sizes: readonly PageParameter[] = size
    ? [{ name: size.name, kind: 'fixed', value: sizeOf(size), isPageSize: true }]
    : []
  const next = (pattern: RegExp) => signs.find(({ name }) => pattern.test(name))
  const more = next(HAS_MORE)
  const found = cursor && next(NEXT_CURSOR)
  const turned = page && next(NEXT_PAGE)
  const position = found
    ? { argument: cursor, parameter: cursorBy(cursor, found), sign: found }
    : turned
      ? { argument: page, parameter: cursorBy(page, turned), sign: turned }
      : page && start !== undefined
        ? { argument: page, parameter: counterOf(page, start, 1), sign: more }
        : offset && size
          ? { argument: offset, parameter: counterOf(offset, 0, sizeOf(size)), sign: more }
          : undefined
  if (!position) return guessed(size, more, base)
  const { sign } = position
  const stop =
    more && sign && more.path.join() === sign.path.join() ? { field: more.name, equals: false } : undefined
  const names = [size, position.argument].flatMap((one) => (one ? [one.name] : []))
  const others = args
    .filter(({ name }) => found !== undefined && BACKWARDS.test(name))
    .map(({ name }) => name)
  return {
    paging: {
      location: 'body',
      parameters: [...sizes, position.parameter],
      bodyPath: ['variables'],
      responsePath: [...base, ...(sign?.path ?? [])],
      ...(stop && { stop }),
      ...(size && { pageSize: sizeOf(size) }),
    },
    takes: new Set([...names, ...others]),
    selection: selectionOf(sign, more),
  }
}

/** Nothing tells how to read on: rows are marked where a flag says that there are more, or as many came as are usual. */
function guessed(
  size: GraphQLArgument | undefined,
  more: Sign | undefined,
  base: readonly string[],
): ListPaging | undefined {
  const usual = typeof size?.defaultValue === 'number' ? size.defaultValue : undefined
  if (!more && usual === undefined) return undefined
  return {
    paging: {
      location: 'body',
      isGuess: true,
      parameters: [],
      bodyPath: ['variables'],
      responsePath: [...base, ...(more?.path ?? [])],
      ...(more && { stop: { field: more.name, equals: false } }),
      ...(size && { sizeArgument: size.name }),
      ...(usual !== undefined && { pageSize: usual }),
    },
    takes: new Set(),
    selection: selectionOf(more, undefined),
  }
}

/** A scalar that tells about the next page, and where it stands in the object around the list. */
interface Sign {
  readonly name: string
  readonly path: readonly string[]
}

function signsOf(holder: GraphQLCompositeType): readonly Sign[] {
  return plainFieldsOf(holder).flatMap(({ name, type }): readonly Sign[] => {
    const own = getNullableType(type)
    if (isLeafType(own)) return [{ name, path: [] }]
    if (isListType(own) || !isObjectType(own)) return []
    return plainFieldsOf(own)
      .filter(({ type: held }) => isLeafType(getNullableType(held)))
      .map((field) => ({ name: field.name, path: [name] }))
  })
}

function selectionOf(sign: Sign | undefined, more: Sign | undefined): string {
  const wanted = [sign, more].filter((one) => one !== undefined)
  const names = new Map<string, Set<string>>()
  for (const { name, path } of wanted) {
    const key = path.join('.')
    names.set(key, (names.get(key) ?? new Set()).add(name))
  }
  return [...names]
    .map(([key, own]) => (key === '' ? [...own].join(' ') : `${key}{${[...own].join(' ')}}`))
    .join(' ')
}

function cursorBy({ name }: GraphQLArgument, sign: Sign): PageParameter {
  return { name, kind: 'cursor', field: sign.name }
}

function counterOf({ name }: GraphQLArgument, start: number, step: number): PageParameter {
  return { name, kind: 'counter', start, step }
}

function firstPageOf({ name, defaultValue }: GraphQLArgument): number | undefined {
  return typeof defaultValue === 'number' ? defaultValue : /index$/i.test(name) ? 0 : undefined
}

function sizeOf({ defaultValue, type }: GraphQLArgument): number {
  const isNumber = getNamedType(type).name === 'Int' && typeof defaultValue === 'number' && defaultValue > 0
  return isNumber ? defaultValue : PAGE_SIZE
}
