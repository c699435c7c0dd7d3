import { snake, wordsOf } from '../../../base/words/names.ts'
import {
  getNullableType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLInputField,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'
import type { Capability, CapabilityKind, Parameter } from '../../model.ts'
import type { Expression } from '../../calls/http-request.ts'
import { callOf, isInputObject, optional, type Position, type Variable } from './calls.ts'
import { idNamesOf } from './identities.ts'
import { without } from './names.ts'
import { capabilityOf, type ReadSources, referencesOf } from './reads.ts'
import { plainFieldsOf, type Result, resultOf, type SchemaField } from './shapes.ts'
import { Inputs, proseOf } from './types.ts'

const MUTATION: Position = { type: 'mutation', open: '', close: '', path: [], variables: [] }

const VERBS: ReadonlyMap<string, CapabilityKind> = new Map([
  ...['create', 'add', 'new', 'insert', 'register', 'submit', 'open', 'post'].map(
    (verb) => [verb, 'create'] as const,
  ),
  ...['update', 'edit', 'set', 'change', 'modify', 'rename', 'patch', 'save'].map(
    (verb) => [verb, 'update'] as const,
  ),
  ...['delete', 'remove', 'destroy', 'erase'].map((verb) => [verb, 'delete'] as const),
])

/** What mutations are attached to if they concern no entity. */
export const OPERATIONS = 'Operations'

/** A field of the mutation type as a create, update, delete or action. */
export function writeOf(field: SchemaField, sources: ReadSources): Capability {
  const answer = answerOf(field, sources)
  const input = inputOf(field)
  const entity = answer.entity ?? namedBy(field, input.fields, sources) ?? OPERATIONS
  const words = without(field.name, entity) ?? wordsOf(field.name)
  const verb = words.map((word) => VERBS.get(word)).find((kind) => kind !== undefined)
  const target = targetOf(entity, input.fields, sources)
  const kind: CapabilityKind =
    verb === 'create' && !target
      ? 'create'
      : (verb === 'update' || verb === 'delete') && target
        ? verb
        : 'action'
  const own = kind === 'create' || !target ? input.fields : input.fields.filter((one) => one !== target)
  const inputs = new Inputs(referencesOf(sources))
  const parameters = own
    .filter(({ name }) => name !== 'clientMutationId')
    .map((one) => inputs.parameter(one, 'plain'))
  const key = sources.identities.get(entity)?.key[0] ?? 'id'
  const description = proseOf(field.description)
  const hasRows = answer.selection !== undefined && answer.entity !== undefined && kind !== 'delete'
  return capabilityOf(sources, {
    name: `${snake(entity)}_${words.length === 0 ? snake(field.name) : words.join('_')}`,
    label: (words.length === 0 ? wordsOf(field.name) : words).join('-'),
    entity,
    kind,
    description,
    parameters,
    effect: hasRows ? 'write' : 'side_effect',
    ...(!hasRows && { sideEffect: description ?? `calls ${field.name}` }),
    call: callOf(
      {
        position: MUTATION,
        field: field.name,
        variables: variablesOf(field, input, { ...(kind !== 'create' && { target }), parameters, key }),
        ...(answer.selection && { selection: answer.selection }),
        answer: { path: answer.path, single: true, scalar: answer.isValue === true },
        ...(answer.verdict && { verdict: answer.verdict }),
        refusals: answer.refusals,
      },
      sources.endpoint,
    ),
  })
}

/** The arguments of a mutation: those of its input object, where it takes one. */
interface Input {
  readonly wrapper?: GraphQLArgument
  readonly fields: readonly (GraphQLArgument | GraphQLInputField)[]
}

function inputOf({ args }: SchemaField): Input {
  const [only, more] = args
  const type = only && getNullableType(only.type)
  if (!only || more || !isInputObject(only) || !isInputObjectType(type)) return { fields: current(args) }
  return { wrapper: only, fields: current(Object.values(type.getFields())) }
}

function current<T extends GraphQLArgument | GraphQLInputField>(inputs: readonly T[]): readonly T[] {
  return inputs.filter(({ deprecationReason }) => deprecationReason == null)
}

/** What the capability takes of an input. */
interface Taken {
  /** The argument that names the row. */
  readonly target?: GraphQLArgument | GraphQLInputField | undefined
  readonly parameters: readonly Parameter[]
  /** The parameter that the target is filled from. */
  readonly key: string
}

function variablesOf(
  field: SchemaField,
  { wrapper, fields }: Input,
  { target, parameters, key }: Taken,
): readonly Variable[] {
  const names = new Set(parameters.map(({ name }) => name))
  const values = fields.flatMap((one): (readonly [string, Expression])[] => {
    if (one === target) return [[one.name, { type: 'var', name: key }]]
    if (!names.has(one.name)) return []
    return [[one.name, isRequired(one) ? { type: 'var', name: one.name } : optional(one.name)]]
  })
  if (wrapper)
    return [{ name: wrapper.name, type: String(wrapper.type), value: { type: 'object', fields: values } }]
  return values.map(([name, value]) => {
    const type = field.args.find((argument) => argument.name === name)?.type
    return { name, type: String(type), value }
  })
}

function isRequired({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean {
  return isNonNullType(type) && defaultValue === undefined
}

/** The argument that says which row is changed: the key of the entity. */
function targetOf(entity: string, fields: Input['fields'], { identities }: ReadSources) {
  const identity = identities.get(entity)
  const [key, more] = identity?.key ?? []
  if (key === undefined || more !== undefined) return undefined
  const names = new Set([key, ...idNamesOf(entity)])
  return fields.find((one) => names.has(one.name) && isRequired(one) && isLeafType(getNullableType(one.type)))
}

/** The entity that a mutation is about, by its name or by an id that it takes, where its answer has none. */
function namedBy(field: SchemaField, fields: Input['fields'], sources: ReadSources): string | undefined {
  const names = [...sources.identities.keys()]
  const byName = names
    .filter((name) => without(field.name, name) !== undefined)
    .toSorted((a, b) => b.length - a.length)[0]
  const ids = fields.flatMap(({ name }) => referencesOf(sources)(name) ?? [])
  return byName ?? ids[0]
}

interface Answer {
  readonly entity?: string
  readonly path: readonly string[]
  readonly selection?: { readonly open: string; readonly close: string } | string
  readonly refusals: readonly (readonly string[])[]
  /** The field that says whether the change was made. */
  readonly verdict?: string
  /** One value is answered, no row. */
  readonly isValue?: true
}

/** Where the changed row is in the answer of a mutation: it is the answer, or a field of an object around it. */
function answerOf(field: SchemaField, sources: ReadSources): Answer {
  const has = (name: string) => sources.identities.has(name)
  const result = resultOf(field.type, has)
  if (result.kind === 'leaf') return { path: [], refusals: [], isValue: true }
  if (result.kind === 'rows' || has(result.item.name)) return rowsOf(result, sources)
  const { item } = result
  if (isUnionType(item)) return ofUnion(item, sources)
  const held = plainFieldsOf(item)
  const refusals = held.filter(isRefusal)
  const flag = held.find(isFlag)
  const reasons = held.filter((one) => !refusals.includes(one) && REASON.test(one.name) && isText(one))
  // Without a row, a flag that stands alone is the value of the answer.
  const verdict = flag && reasons.length > 0 ? { verdict: flag.name } : {}
  const said = flag ? [flag, ...reasons].map(({ name }) => name) : []
  const refused = [...said, ...refusals.map(({ name, type }) => `${name}${refusalSelection(type)}`)].join(' ')
  const rows = held
    .filter((one) => !refusals.includes(one))
    .flatMap((one) => {
      const inner = resultOf(one.type, has)
      return inner.kind === 'row' && has(inner.item.name) ? [{ name: one.name, item: inner.item }] : []
    })
  const row = rows.find(({ item: { name } }) => without(field.name, name) !== undefined) ?? rows[0]
  const paths = refusals.map(({ name }) => [name])
  if (!row) {
    const leaves = held.filter((one) => isLeafType(getNullableType(one.type)))
    // `success: Boolean` says more of the change than what stands beside it.
    const leaf = flag ?? leaves.find(({ type }) => String(getNullableType(type)) === 'Boolean') ?? leaves[0]
    const own = flag === leaf ? [] : [leaf?.name ?? '__typename']
    const selection = [...own, refused].join(' ').trim()
    return leaf
      ? { path: [leaf.name], selection, refusals: paths, isValue: true, ...verdict }
      : { path: [], selection, refusals: paths }
  }
  return {
    entity: row.item.name,
    path: [row.name],
    selection: { open: `${refused} ${row.name}{`.trimStart(), close: '}' },
    refusals: paths,
    ...(flag && { verdict: flag.name }),
  }
}

function rowsOf(result: Extract<Result, { kind: 'row' | 'rows' }>, sources: ReadSources): Answer {
  const path = result.kind === 'rows' ? result.path : []
  return {
    entity: sources.entities.of(result.item),
    path,
    selection: { open: path.map((key) => `${key}{`).join(''), close: path.map(() => '}').join('') },
    refusals: [],
  }
}

/** The name under which the message of another member of a union is asked for. */
const REFUSAL = 'refusal'

/** A union of the changed row and of errors: the message of an error says what was refused. */
function ofUnion(type: Extract<GraphQLCompositeType, { getTypes: unknown }>, sources: ReadSources): Answer {
  const members = type.getTypes()
  const row = members.find(({ name }) => sources.identities.has(name))
  const errors = members.filter((member) => member !== row && isText(member.getFields()['message']))
  const asked = errors.map(({ name }) => `...on ${name}{${REFUSAL}:message}`).join(' ')
  if (!row) return { path: [], selection: `__typename ${asked}`.trim(), refusals: [[REFUSAL]] }
  return {
    entity: row.name,
    path: [],
    selection: { open: `__typename ${asked} ...on ${row.name}{`, close: '}' },
    refusals: [[REFUSAL]],
  }
}

/** Fields of an answer in which an API lists what it refused. */
function isRefusal({ name, type }: SchemaField): boolean {
  return /(?:^|user|field|mutation|validation)_?errors?$/i.test(name) && refusalSelection(type) !== undefined
}

/** Names of texts that say why a change was not made. */
const REASON = /^(?:message|error|reason)$/i

function isFlag({ name, type }: SchemaField): boolean {
  return /^(?:success(?:ful)?|succeeded|ok)$/i.test(name) && String(getNullableType(type)) === 'Boolean'
}

function refusalSelection(type: SchemaField['type']): string | undefined {
  const own = getNullableType(type)
  const item = isListType(own) ? getNullableType(own.ofType) : own
  if (isLeafType(item)) return item.name === 'String' ? '' : undefined
  return isObjectType(item) && isText(item.getFields()['message']) ? '{message}' : undefined
}

function isText(field: SchemaField | undefined): boolean {
  if (!field || field.args.length > 0) return false
  const type = getNullableType(field.type)
  return isLeafType(type) && type.name === 'String'
}
