import { getNullableType, type GraphQLCompositeType, isLeafType, isListType, isObjectType } from 'graphql'
import type { Capability } from '../../model.ts'
import { type Position, variableOf } from './calls.ts'
import { pagingOf } from './paging.ts'
import { namingOf, readAt, type ReadSources } from './reads.ts'
import { plainFieldsOf, type Result, resultOf, type RowsResult, type SchemaField } from './shapes.ts'

/**
 * The lists of a root field that pages them: `Page(page, perPage) { pageInfo users(name) media(search) }`. Each is a query with
 * its own arguments. Undefined for any other field, and where the object is one list without arguments of its own.
 */
export function pagedReads(field: SchemaField, sources: ReadSources): readonly Capability[] | undefined {
  const isIdentified = (name: string) => sources.identities.has(name)
  const holder = holderOf(resultOf(field.type, isIdentified), isIdentified)
  if (!holder) return undefined
  const lists = plainFieldsOf(holder).flatMap((list) => {
    const result = resultOf(list.type, isIdentified)
    const isList = result.kind === 'rows' && result.path.length === 0 && isIdentified(result.item.name)
    return isList ? [{ list, result }] : []
  })
  const [first] = lists
  if (!first || (lists.length === 1 && first.list.args.length === 0)) return undefined
  const base = ['data', field.name]
  const paged = pagingOf(field, { ...first.result, holder }, base)
  if (!paged || paged.paging.parameters.length === 0) return undefined
  const taken = field.args.filter(({ name }) => paged.takes.has(name))
  // An argument that pages do not take belongs to all of the lists: what it means for one is not known.
  if (taken.length < field.args.length) return undefined
  const position: Position = {
    type: 'query',
    open: `${field.name}(${taken.map(({ name }) => `${name}:$${name}`).join(',')}){${paged.selection} `,
    close: '}',
    path: [field.name],
    variables: taken.map((argument) => variableOf(argument, argument.name, false)),
  }
  const names = new Set(taken.map(({ name }) => name))
  if (lists.some(({ list }) => list.args.some(({ name }) => names.has(name)))) return undefined
  return lists.map(({ list, result }) =>
    readAt(list, { result, position, pages: paged.paging }, sources, {
      ...namingOf(list, result, sources),
      scope: [],
    }),
  )
}

/** The object around the lists, if it holds nothing else but what is said of their pages. */
function holderOf(
  result: Result | RowsResult,
  isIdentified: (name: string) => boolean,
): GraphQLCompositeType | undefined {
  const holder = result.kind === 'rows' ? result.holder : result.kind === 'row' ? result.item : undefined
  if (!holder || !isObjectType(holder) || isIdentified(holder.name)) return undefined
  const isAbout = ({ type }: SchemaField) => {
    const own = getNullableType(type)
    return isLeafType(own) || isListType(own) || !isIdentified(own.name)
  }
  return plainFieldsOf(holder).every(isAbout) ? holder : undefined
}
