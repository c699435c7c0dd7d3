import { camel } from '../../../base/words/names.ts'
import {
  getNamedType,
  getNullableType,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isLeafType,
  isListType,
  isUnionType,
} from 'graphql'
import type { Field, Type } from '../../model.ts'
import { BOUNDS } from './bounds.ts'
import type { Identity } from './identities.ts'
import { plainFieldsOf, resultOf, type SchemaField } from './shapes.ts'
import { proseOf, typeOfLeaf } from './types.ts'

/** The hole of a selection, which the fields of the referred entity fill. */
const HOLE = '{*}'

/** What the fields of entities are read from. */
export interface FieldSources {
  readonly schema: GraphQLSchema
  readonly identities: ReadonlyMap<string, Identity>
}

/** A field of a type, or of one member of a union, under the name that it has in answers. */
interface Member {
  readonly name: string
  readonly field: SchemaField
  /** Its text in a selection, before the selection of its own fields. */
  readonly asked: (inner: string) => string
}

/**
 * The fields of an entity's rows with the text that asks for each: leaves as they are, objects with an identity as
 * references, other objects by their own fields. Lists of objects are relations where the entity can be read by its key.
 */
export function fieldsOf(type: GraphQLCompositeType, sources: FieldSources): readonly Field[] {
  const found: Field[] = []
  const names = new Set<string>()
  const add = (field: Field) => {
    if (names.has(field.name) || found.length >= BOUNDS.fields) return
    names.add(field.name)
    found.push(field)
  }
  for (const member of membersOf(type)) for (const field of read(member, type, sources)) add(field)
  const options = optionsOf(type, sources.schema)
  if (options) {
    const [name = 'typename'] = ['type', 'kind', 'typename'].filter((free) => !names.has(free))
    add({
      name,
      type: { kind: 'select', options },
      required: true,
      path: ['__typename'],
      selection: '__typename',
    })
  }
  const key = sources.identities.get(type.name)?.key ?? []
  const isKey = ({ name }: Field) => key.includes(name)
  return [...found.filter(isKey), ...found.filter((field) => !isKey(field))]
}

/** The types that an interface or a union may stand for. */
function optionsOf(type: GraphQLCompositeType, schema: GraphQLSchema): readonly string[] | undefined {
  if (!isInterfaceType(type) && !isUnionType(type)) return undefined
  const names = schema.getPossibleTypes(type).map(({ name }) => name)
  return names.length > 0 && names.length <= BOUNDS.options ? names : undefined
}

/** The fields of an object or interface; of a union those of its members, each asked for in its own fragment. */
function membersOf(type: GraphQLCompositeType): readonly Member[] {
  if (!isUnionType(type))
    return plainFieldsOf(type).map((field) => ({
      name: field.name,
      field,
      asked: (inner) => `${field.name}${inner}`,
    }))
  const groups = new Map<string, { readonly field: SchemaField; readonly types: GraphQLObjectType[] }>()
  for (const member of type.getTypes().slice(0, BOUNDS.members)) {
    for (const field of plainFieldsOf(member)) {
      // Fields of one name must have one type in an answer: others get a name of their own.
      const same = groups.get(field.name)
      const fits = same === undefined || String(same.field.type) === String(field.type)
      const name = fits ? field.name : `${camel(member.name)}_${field.name}`
      const group = groups.get(name)
      if (group) group.types.push(member)
      else groups.set(name, { field, types: [member] })
    }
  }
  return [...groups].map(([name, { field, types }]) => ({
    name,
    field,
    asked: (inner) => {
      const own = name === field.name ? name : `${name}:${field.name}`
      return types.map((member) => `...on ${member.name}{${own}${inner}}`).join(' ')
    },
  }))
}

function read({ name, field, asked }: Member, owner: GraphQLCompositeType, sources: FieldSources): Field[] {
  const { identities } = sources
  const result = resultOf(field.type, (one) => identities.has(one))
  const described = (rest: Omit<Field, 'name' | 'required'> & { readonly name?: string }): Field => {
    const description = proseOf(field.description)
    return { name, required: false, ...(description !== undefined && { description }), ...rest }
  }
  switch (result.kind) {
    case 'leaf': {
      const type = typeOfLeaf(result.type)
      return [
        described({
          type: result.isList ? { kind: 'array', items: type } : type,
          path: [name],
          selection: asked(''),
        }),
      ]
    }
    case 'row': {
      if (identities.has(result.item.name))
        return [described({ type: reference(result.item), path: [name], selection: asked(HOLE) })]
      return leavesOf(result.item, sources, 1).map(({ path, type, inner, description }) =>
        described({
          name: [name, ...path].join('_'),
          type,
          path: [name, ...path],
          selection: asked(inner),
          ...(description !== undefined && { description }),
        }),
      )
    }
    case 'rows': {
      const isPlain = result.holder === undefined
      if (identities.has(result.item.name)) {
        const isWalked = identities.get(owner.name)?.get !== undefined
        return isPlain && !isWalked
          ? [
              described({
                type: { kind: 'array', items: reference(result.item) },
                path: [name],
                selection: asked(HOLE),
              }),
            ]
          : []
      }
      const inner = isPlain ? valueSelection(result.item, sources, 1) : undefined
      return inner === undefined
        ? []
        : [described({ type: { kind: 'json' }, path: [name], selection: asked(inner) })]
    }
  }
}

/** The lists of objects without an identity that rows hold, by field. */
export function heldLists(
  type: GraphQLCompositeType,
  { identities }: FieldSources,
): ReadonlyMap<string, GraphQLCompositeType> {
  const lists = plainFieldsOf(type).flatMap(({ name, type: held }) => {
    const result = resultOf(held, (one) => identities.has(one))
    const isHeld = result.kind === 'rows' && result.holder === undefined && !identities.has(result.item.name)
    return isHeld ? [[name, result.item] as const] : []
  })
  return new Map(lists)
}

/** The fields of an object in such a list, as far as the selection of the list asks for them. */
export function heldFieldsOf(type: GraphQLCompositeType, sources: FieldSources): readonly Field[] {
  const asked = new Set(
    plainFieldsOf(type)
      .slice(0, BOUNDS.valueFields)
      .map(({ name }) => name),
  )
  return fieldsOf(type, sources).filter(({ path, type: { kind, ...more } }) => {
    const [first = ''] = path
    const isRows = 'items' in more && more.items.kind === 'reference'
    if (!asked.has(first) || isRows) return false
    return path.length === 1 || (path.length <= BOUNDS.valueDepth && kind !== 'json' && kind !== 'reference')
  })
}

function reference({ name }: GraphQLCompositeType): Type {
  return { kind: 'reference', entity: name }
}

/** A leaf inside an object without an identity: its path there, and the text that asks for it. */
interface Leaf {
  readonly path: readonly string[]
  readonly type: Type
  readonly inner: string
  readonly description?: string
}

function leavesOf(type: GraphQLCompositeType, sources: FieldSources, depth: number): readonly Leaf[] {
  return plainFieldsOf(type)
    .slice(0, BOUNDS.valueFields)
    .flatMap((field): readonly Leaf[] => {
      const { name } = field
      const result = resultOf(field.type, (one) => sources.identities.has(one))
      const text = proseOf(field.description)
      const description = text === undefined ? {} : { description: text }
      if (result.kind === 'leaf') {
        const leaf = typeOfLeaf(result.type)
        const held: Type = result.isList ? { kind: 'array', items: leaf } : leaf
        return [{ path: [name], type: held, inner: `{${name}}`, ...description }]
      }
      if (result.kind === 'rows') {
        const isPlain = result.holder === undefined && !sources.identities.has(result.item.name)
        const inner = isPlain ? valueSelection(result.item, sources, depth) : undefined
        return inner === undefined
          ? []
          : [{ path: [name], type: { kind: 'json' }, inner: `{${name}${inner}}`, ...description }]
      }
      if (sources.identities.has(result.item.name))
        return [{ path: [name], type: reference(result.item), inner: `{${name}${HOLE}}`, ...description }]
      if (depth >= BOUNDS.valueDepth) return []
      return leavesOf(result.item, sources, depth + 1).map(({ path, inner, ...rest }) => ({
        ...rest,
        path: [name, ...path],
        inner: `{${name}${inner}}`,
      }))
    })
}

/** The selection of objects that are kept as JSON: their leaves, and those of the objects in them. */
function valueSelection(
  type: GraphQLCompositeType,
  sources: FieldSources,
  depth: number,
): string | undefined {
  const parts = plainFieldsOf(type)
    .slice(0, BOUNDS.valueFields)
    .flatMap(({ name, type: held }) => {
      const own = getNullableType(held)
      const named = getNamedType(held)
      if (isLeafType(named)) return [name]
      if (!isCompositeType(named) || depth >= BOUNDS.valueDepth) return []
      const key = sources.identities.get(named.name)?.key
      if (key) return isListType(own) ? [] : [`${name}{${key.join(' ')}}`]
      const inner = valueSelection(named, sources, depth + 1)
      return inner === undefined ? [] : [`${name}${inner}`]
    })
  return parts.length === 0 ? undefined : `{${parts.join(' ')}}`
}
