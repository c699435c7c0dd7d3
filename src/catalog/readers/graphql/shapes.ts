import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLOutputType,
  isCompositeType,
  isEnumType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql'

export type SchemaField = GraphQLField<unknown, unknown>

/** What a field answers with. */
export type Result =
  | { readonly kind: 'leaf'; readonly type: GraphQLLeafType; readonly isList: boolean }
  | { readonly kind: 'row'; readonly item: GraphQLCompositeType }
  | RowsResult

export interface RowsResult {
  readonly kind: 'rows'
  readonly item: GraphQLCompositeType
  /** Keys from the field's value to the list. */
  readonly path: readonly string[]
  /** The rows are under this key of each element. */
  readonly innerKey?: string
  /** The object around the list. */
  readonly holder?: GraphQLCompositeType
}

/** Names of the field that holds the list, where an object is only the list and what is said of it. */
const LIST_FIELD =
  /^(?:nodes|items|results?|data|list|entries|records|rows|docs|documents|content|elements|values)$/i
const LIST_TYPE = /(?:Connection|Page|Paginated|List|Results?|Collection|Listing)$|^(?:Paginated|Page)/

/** The fields of an object or interface that are asked for without arguments; those of our own kind are left out. */
export function plainFieldsOf(type: GraphQLCompositeType): readonly SchemaField[] {
  if (isUnionType(type)) return []
  return Object.values(type.getFields()).filter(
    ({ name, args, deprecationReason }) =>
      !name.startsWith('__') && deprecationReason == null && !args.some(isRequiredArgument),
  )
}

/** What a field's value is: rows, one row, or a value. */
export function resultOf(type: GraphQLOutputType, isIdentified: (name: string) => boolean): Result {
  const own = getNullableType(type)
  if (isListType(own)) {
    const item = getNamedType(own)
    return isCompositeType(item)
      ? { kind: 'rows', item, path: [] }
      : { kind: 'leaf', type: leafOf(item), isList: true }
  }
  if (isLeafType(own)) return { kind: 'leaf', type: own, isList: false }
  if (!isIdentified(own.name)) {
    const rows = rowsIn(own)
    if (rows) return rows
  }
  return { kind: 'row', item: own }
}

function leafOf(type: ReturnType<typeof getNamedType>): GraphQLLeafType {
  if (isLeafType(type)) return type
  throw new Error('the type of an output field is an input type')
}

/** The rows inside an object that is only a list with paging: a connection, or an object with one list of objects. */
function rowsIn(type: GraphQLCompositeType): RowsResult | undefined {
  if (!isObjectType(type)) return undefined
  const fields = type.getFields()
  const lists = plainFieldsOf(type).filter(({ type: held }) => itemOf(held) !== undefined)
  const [nodes] = lists.filter(({ name }) => name === 'nodes')
  const [edges] = lists.filter(({ name }) => name === 'edges')
  if (nodes && (edges || 'pageInfo' in fields)) return rowsAt(type, nodes)
  if (edges) {
    const edge = itemOf(edges.type)
    const node = edge && isObjectType(edge) ? edge.getFields()['node'] : undefined
    const item = node && getNamedType(node.type)
    if (item && isCompositeType(item))
      return { kind: 'rows', item, path: ['edges'], innerKey: 'node', holder: type }
  }
  const [only, more] = lists
  if (!only || more) return undefined
  return LIST_FIELD.test(only.name) || LIST_TYPE.test(type.name) ? rowsAt(type, only) : undefined
}

function rowsAt(holder: GraphQLCompositeType, { name, type }: SchemaField): RowsResult | undefined {
  const item = itemOf(type)
  return item && { kind: 'rows', item, path: [name], holder }
}

/** The object type of a list's items. */
function itemOf(type: GraphQLOutputType): GraphQLCompositeType | undefined {
  const own = getNullableType(type)
  const item = isListType(own) ? getNamedType(own) : undefined
  return item && isCompositeType(item) ? item : undefined
}

/** Can the value of an argument be one text, number or enum value? */
export function isScalarArgument({ type }: GraphQLArgument): boolean {
  const own = getNullableType(type)
  return isLeafType(own) && !isEnumType(own)
}
