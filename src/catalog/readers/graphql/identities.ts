import { camel, snake } from '../../../base/words/names.ts'
import {
  getNamedType,
  getNullableType,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql'
import { BOUNDS } from './bounds.ts'
import { isScalarArgument, plainFieldsOf, type SchemaField } from './shapes.ts'

/** How the rows of a type are told apart, and read one by one. */
export interface Identity {
  readonly key: readonly string[]
  readonly get?: Get
}

/** The field of the query type that reads one row, with its arguments by the key's fields. */
export interface Get {
  readonly field: SchemaField
  /** The name of the argument that takes each field of the key. */
  readonly argumentOf: ReadonlyMap<string, string>
  /** The type that the answer is narrowed to, where the field answers with an interface. */
  readonly on?: string
}

/** The identity of each type that has one, by the type's name. */
export function identitiesOf(schema: GraphQLSchema): ReadonlyMap<string, Identity> {
  const roots = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
    ({ deprecationReason }) => deprecationReason == null,
  )
  const getsOf = byResult(roots)
  const node = roots.find((field) => isNode(field))
  const found = new Map<string, Identity>()
  const operations = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
  // The payload of a mutation names the ids of other rows.
  const payloads = new Set(
    Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ type }) => getNamedType(type).name),
  )
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isCompositeType(type) || type.name.startsWith('__')) continue
    if ((isObjectType(type) && operations.has(type)) || type === (node && getNamedType(node.type))) continue
    const identity = isUnionType(type)
      ? identityOfUnion(type)
      : identityOf(type, getsOf.get(type.name) ?? [], { node, isPayload: payloads.has(type.name) })
    if (identity) found.set(type.name, identity)
  }
  return found
}

/** The fields that answer with one object, by the name of its type. */
function byResult(fields: readonly SchemaField[]): ReadonlyMap<string, readonly SchemaField[]> {
  const found = new Map<string, SchemaField[]>()
  for (const field of fields) {
    const type = getNullableType(field.type)
    if (isListType(type) || !isCompositeType(type)) continue
    const others = found.get(type.name)
    if (others) others.push(field)
    else found.set(type.name, [field])
  }
  return found
}

/** The field of global object identification: `node(id: ID!): Node`. */
function isNode({ name, args, type }: SchemaField): boolean {
  const [id, more] = args.filter(isRequiredArgument)
  return name === 'node' && isInterfaceType(getNullableType(type)) && id?.name === 'id' && !more
}

function identityOf(
  type: GraphQLCompositeType,
  fields: readonly SchemaField[],
  { node, isPayload }: { readonly node: SchemaField | undefined; readonly isPayload: boolean },
): Identity | undefined {
  const leaves = new Set(
    plainFieldsOf(type).flatMap(({ name, type: held }) => (isLeafType(getNullableType(held)) ? [name] : [])),
  )
  const id = idFieldOf(type, leaves, isPayload)
  const gets = fields.flatMap((field) => getBy(field, type, leaves, id) ?? [])
  const get =
    gets.find(({ argumentOf }) => id !== undefined && argumentOf.size === 1 && argumentOf.has(id)) ?? gets[0]
  if (get) return { key: [...get.argumentOf.keys()], get }
  if (id === undefined) return undefined
  return id === 'id' && node && isNodeOf(type, node)
    ? { key: [id], get: { field: node, argumentOf: new Map([[id, 'id']]), on: type.name } }
    : { key: [id] }
}

function isNodeOf(type: GraphQLCompositeType, { type: held }: SchemaField): boolean {
  const node = getNamedType(held)
  return (
    (isObjectType(type) || isInterfaceType(type)) &&
    isInterfaceType(node) &&
    type.getInterfaces().includes(node)
  )
}

/** The get by a field's arguments, where each of them names a field of the type, or its id. */
function getBy(
  field: SchemaField,
  type: GraphQLCompositeType,
  leaves: ReadonlySet<string>,
  id: string | undefined,
): Get | undefined {
  const required = field.args.filter(isRequiredArgument)
  // Some schemas declare the id of a get as optional.
  const asked = required.length > 0 ? required : field.args.filter(({ name }) => name === id)
  if (asked.length === 0 || asked.length > 3 || !asked.every(isScalarArgument)) return undefined
  const pairs = asked.map(({ name }): readonly [string | undefined, string] => {
    if (leaves.has(name)) return [name, name]
    return [asked.length === 1 && idNamesOf(type.name).has(name) ? id : undefined, name]
  })
  const known = pairs.flatMap(([slot, name]) => (slot === undefined ? [] : [[slot, name] as const]))
  return known.length === pairs.length ? { field, argumentOf: new Map(known) } : undefined
}

/** The names of a type's id in arguments elsewhere. */
export function idNamesOf(type: string): ReadonlySet<string> {
  return new Set(['id', `${camel(type)}Id`, `${camel(type)}ID`, `${snake(type)}_id`])
}

function idFieldOf(
  type: GraphQLCompositeType,
  leaves: ReadonlySet<string>,
  isPayload: boolean,
): string | undefined {
  const usual = ['id', '_id', 'nodeId', ...idNamesOf(type.name)].find((name) => leaves.has(name))
  if (usual !== undefined || isPayload) return usual
  const ids = plainFieldsOf(type).filter(
    ({ name, type: held }) => leaves.has(name) && getNamedType(held).name === 'ID',
  )
  return ids.length === 1 ? ids[0]?.name : undefined
}

/** A union is told apart by an id that all of its members have. */
function identityOfUnion(type: Extract<GraphQLCompositeType, { getTypes: unknown }>): Identity | undefined {
  const members = type.getTypes()
  if (members.length === 0 || members.length > BOUNDS.members) return undefined
  const haveIds = members.every((member) => {
    const held = member.getFields()['id']
    return held !== undefined && isLeafType(getNullableType(held.type))
  })
  return haveIds ? { key: ['id'] } : undefined
}
