import { camel, pascal, snake, wordsOf } from '../../../base/words/names.ts'
import {
  getNullableType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import type { Paging } from '../../calls/http-request.ts'
import type { Capability, CapabilityKind, Entity, Parameter, Relation } from '../../model.ts'
import { callOf, type Endpoint, type Position, type Variable, variableOf } from './calls.ts'
import { type Get, idNamesOf, type Identity } from './identities.ts'
import { type UniqueNames, without } from './names.ts'
import { pagingOf } from './paging.ts'
import { type Result, resultOf, type SchemaField } from './shapes.ts'
import { Inputs, proseOf, typeOfLeaf } from './types.ts'

/** What the capabilities of a schema are read from. */
export interface ReadSources {
  readonly schema: GraphQLSchema
  readonly identities: ReadonlyMap<string, Identity>
  readonly endpoint: Endpoint
  readonly names: UniqueNames
  readonly entities: {
    /** The name of a type's entity. */
    readonly of: (type: GraphQLCompositeType) => string
    /** The name of an entity for values that are no objects. */
    readonly ofValue: (name: string, fields: Entity['fields']) => string
  }
}

const ROOT: Position = { type: 'query', open: '', close: '', path: [], variables: [] }

/** The get of a type by its key. */
export function getOf(type: string, { field, argumentOf, on }: Get, sources: ReadSources): Capability {
  const inputs = new Inputs(referencesOf(sources))
  const slots = new Set(argumentOf.values())
  const variables = field.args.flatMap((argument): Variable[] => {
    const slot = [...argumentOf].find(([, name]) => name === argument.name)?.[0]
    if (slot !== undefined)
      return [{ name: argument.name, type: String(argument.type), value: { type: 'var', name: slot } }]
    return on === undefined ? [variableOf(argument, argument.name, isRequiredArgument(argument))] : []
  })
  const parameters = field.args
    .filter(({ name }) => !slots.has(name) && on === undefined)
    .map((argument) => inputs.parameter(argument, 'plain'))
  return capabilityOf(sources, {
    name: `${snake(type)}_get`,
    label: 'get',
    entity: type,
    kind: 'get',
    description: on === undefined ? proseOf(field.description) : undefined,
    parameters,
    call: callOf(
      {
        position: ROOT,
        field: field.name,
        variables,
        selection: on === undefined ? { open: '', close: '' } : { open: `...on ${on}{`, close: '}' },
        answer: { path: [], single: true, scalar: false },
      },
      sources.endpoint,
    ),
  })
}

/** A field of the query type, other than the gets, as a query or a search. */
export function rootRead(field: SchemaField, sources: ReadSources): Capability {
  const result = resultOf(field.type, (name) => sources.identities.has(name))
  return readAt(field, { result, position: ROOT }, sources, {
    ...namingOf(field, result, sources),
    scope: [],
  })
}

/** A read of the query type is named after its field, without the words that name the entity. */
export function namingOf(
  field: SchemaField,
  result: Result,
  sources: ReadSources,
): Pick<Naming, 'entity' | 'name' | 'label'> {
  const entity = entityOf(field, result, sources)
  const rest = without(field.name, entity) ?? wordsOf(field.name)
  const plain = rest.filter((word) => !FILLERS.has(word))
  const isPlain = rest.length === 0 || (plain.length === 0 && !isListedPlainly(entity, field, sources))
  const own = isPlain ? ['query'] : plain.length > 0 ? plain : rest
  return { entity, name: `${snake(entity)}_${own.join('_')}`, label: own.join('-') }
}

/** Does another field list the rows under the name of the entity alone? */
function isListedPlainly(
  entity: string,
  { name }: SchemaField,
  { schema, identities }: ReadSources,
): boolean {
  const get = identities.get(entity)?.get?.field.name
  const fields = Object.keys(schema.getQueryType()?.getFields() ?? {})
  return fields.some((one) => one !== name && one !== get && without(one, entity)?.length === 0)
}

/** Words of a field's name that say only that it lists. */
const FILLERS = new Set(['all', 'list', 'get', 'find', 'fetch', 'by', 'query'])

/** The lists of an entity that can be read by its key, and its fields that need arguments: queries within it. */
export function nestedReads(
  type: GraphQLCompositeType,
  get: Get,
  sources: ReadSources,
): { readonly capabilities: readonly Capability[]; readonly relations: readonly Relation[] } {
  const fields = 'getFields' in type ? Object.values(type.getFields()) : []
  const capabilities: Capability[] = []
  const relations: Relation[] = []
  for (const field of fields) {
    if (field.deprecationReason != null || field.name.startsWith('__')) continue
    const result = resultOf(field.type, (name) => sources.identities.has(name))
    const isList = result.kind === 'rows' && isNested(result.item, sources, result.holder !== undefined)
    const isAsked = result.kind === 'row' && field.args.some(isRequiredArgument)
    if (!isList && !isAsked) continue
    const { position, scope } = within(type.name, get, field, sources)
    const entity = entityOf(field, result, sources)
    const name = `${snake(entity)}_of_${snake(type.name)}_${snake(field.name)}`
    const label = `of-${snake(type.name)}-${snake(field.name)}`.replaceAll('_', '-')
    const capability = readAt(field, { result, position }, sources, { entity, name, label, scope: [scope] })
    capabilities.push(capability)
    if (
      !isList ||
      field.args.some((argument) => isRequiredArgument(argument) && !isPaged(capability, argument))
    )
      continue
    const description = proseOf(field.description)
    relations.push({
      name: field.name,
      target: entity,
      many: true,
      ...(description !== undefined && { description }),
      via: { kind: 'query', capability: capability.name, bindings: [{ parameter: scope.name }] },
    })
  }
  return { capabilities, relations }
}

function isPaged(capability: Capability, { name }: GraphQLArgument): boolean {
  return capability.parameters.every((parameter) => parameter.name !== name)
}

/** Lists of objects without an identity are part of the row, unless they are paged. */
function isNested(item: GraphQLCompositeType, { identities }: ReadSources, isHeld: boolean): boolean {
  return identities.has(item.name) || (isHeld && isObjectType(item))
}

/** The position inside the row of a parent, which a parameter of the read names. */
function within(
  type: string,
  { field, argumentOf, on }: Get,
  inner: SchemaField,
  { identities }: ReadSources,
): { readonly position: Position; readonly scope: Parameter } {
  const taken = new Set(inner.args.map(({ name }) => name))
  const free = (name: string): string => (taken.has(name) ? free(`${name}_`) : name)
  const scope: Parameter = {
    name: free(camel(type)),
    type: { kind: 'reference', entity: type },
    required: true,
    role: 'scope',
  }
  const isCompound = (identities.get(type)?.key.length ?? 1) > 1
  const variables = [...argumentOf].map(([slot, argument]): Variable & { readonly argument: string } => {
    const found = field.args.find(({ name }) => name === argument)
    return {
      argument,
      name: free(isCompound ? argument : scope.name),
      type: String(found?.type ?? 'ID!'),
      value: { type: 'var', name: isCompound ? slot : scope.name },
    }
  })
  const given = variables.map(({ argument, name }) => `${argument}:$${name}`).join(',')
  return {
    scope,
    position: {
      type: 'query',
      open: `${field.name}(${given}){${on === undefined ? '' : `...on ${on}{`}`,
      close: on === undefined ? '}' : '}}',
      path: [field.name],
      variables: variables.map(({ name, type: held, value }) => ({ name, type: held, value })),
    },
  }
}

interface Naming {
  readonly entity: string
  readonly name: string
  readonly label: string
  /** Parameters of the position. */
  readonly scope: readonly Parameter[]
}

/** What a field answers with, where it is called, and how the object around it is paged, if it is. */
interface Placed {
  readonly result: Result
  readonly position: Position
  readonly pages?: Paging
}

/** A field as a query or a search. */
export function readAt(
  field: SchemaField,
  { result, position, pages: around }: Placed,
  sources: ReadSources,
  { entity, name, label, scope }: Naming,
): Capability {
  const base = ['data', ...position.path, field.name]
  const pages = result.kind === 'rows' && !around ? pagingOf(field, result, base) : undefined
  const inputs = new Inputs(referencesOf(sources))
  const own = field.args.filter(
    (argument) => argument.deprecationReason == null && !pages?.takes.has(argument.name),
  )
  const search = scope.length === 0 && result.kind === 'rows' ? own.find(isSearchText) : undefined
  const parameters = own.map((argument) =>
    inputs.parameter(argument, argument === search ? 'search' : roleOf(argument)),
  )
  const paged = field.args.filter(({ name: one }) =>
    pages?.paging.parameters.some((page) => page.name === one),
  )
  const variables = [
    ...own.map((argument) => variableOf(argument, argument.name, isRequiredArgument(argument))),
    ...paged.map((argument) => variableOf(argument, argument.name, false)),
  ]
  const kind: CapabilityKind = search && isSearch(field, search) ? 'search' : 'query'
  const inner =
    result.kind === 'rows'
      ? [...result.path, ...(result.innerKey === undefined ? [] : [result.innerKey])]
      : []
  return capabilityOf(sources, {
    name,
    label,
    entity,
    kind,
    description: proseOf(field.description),
    parameters: [...scope, ...parameters],
    call: callOf(
      {
        position,
        field: field.name,
        variables,
        ...(result.kind !== 'leaf' && {
          selection: {
            open: inner.map((key) => `${key}{`).join(''),
            close: `${inner.map(() => '}').join('')}${pages?.selection ?? ''}`,
          },
        }),
        answer: {
          path: result.kind === 'rows' ? result.path : [],
          ...(result.kind === 'rows' && result.innerKey !== undefined && { innerKey: result.innerKey }),
          single: result.kind === 'row' || (result.kind === 'leaf' && !result.isList),
          scalar: result.kind === 'leaf',
        },
        ...(pages && { paging: pages.paging }),
        ...(around && { paging: around }),
      },
      sources.endpoint,
    ),
  })
}

const SEARCH = /^(?:q|query|search|search_?(?:term|text|query|string)|text|term|keywords?|name_?contains)$/i

function isSearchText({ name, type }: GraphQLArgument): boolean {
  const own = getNullableType(type)
  return SEARCH.test(name) && isLeafType(own) && own.name === 'String'
}

/** A list whose words are required, or that is called a search. */
function isSearch(field: SchemaField, text: GraphQLArgument): boolean {
  return isRequiredArgument(text) || wordsOf(field.name).includes('search')
}

function roleOf({ name }: GraphQLArgument): Parameter['role'] {
  return /^(?:order|sort)(?:_?by)?$|^(?:order|sort)ing$/i.test(name) ? 'sort' : 'filter'
}

/** The entity of what a field answers with. */
function entityOf(field: SchemaField, result: Result, sources: ReadSources): string {
  if (result.kind !== 'leaf') return sources.entities.of(result.item)
  const type = typeOfLeaf(result.type)
  const value = { name: 'value', type, required: true, path: [] }
  const description = proseOf(field.description)
  return sources.entities.ofValue(pascal(field.name), [
    { ...value, ...(description !== undefined && { description }) },
  ])
}

/** The entity that an argument identifies by its name, such as `issueId`: one that has a single key. */
export function referencesOf({
  identities,
}: Pick<ReadSources, 'identities'>): (name: string) => string | undefined {
  return (name) => {
    const [, stem] = /^(.+?)(?:_?[iI][dD])$/.exec(name) ?? []
    if (stem === undefined || stem === '') return undefined
    const entity = pascal(stem)
    const identity = identities.get(entity)
    return identity?.get && identity.key.length === 1 && idNamesOf(entity).has(name) ? entity : undefined
  }
}

type Head = Pick<Capability, 'name' | 'label' | 'entity' | 'kind' | 'parameters' | 'call'> & {
  readonly description: string | undefined
  readonly effect?: Capability['effect']
  readonly sideEffect?: string
}

/** A whole capability, under a name that no other one has. */
export function capabilityOf(
  { names }: Pick<ReadSources, 'names'>,
  { description, effect = 'read', ...head }: Head,
): Capability {
  return {
    ...head,
    name: names.take(head.name),
    ...(description !== undefined && { description }),
    openInput: false,
    effect,
    omitAggregateScope: true,
    unsupported: [],
    terms: [],
  }
}
