import {
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isCompositeType,
} from 'graphql'
import type { Problem } from '../../../base/diagnostic.ts'
import { once } from '../../../base/once.ts'
import type { Capability, Entity, Relation } from '../../model.ts'
import { BOUNDS } from './bounds.ts'
import type { Endpoint } from './calls.ts'
import { fieldsOf, heldFieldsOf, heldLists } from './fields.ts'
import { identitiesOf, type Identity } from './identities.ts'
import { UniqueNames } from './names.ts'
import { rule } from './problems.ts'
import { pagedReads } from './paged-lists.ts'
import { getOf, nestedReads, type ReadSources, rootRead } from './reads.ts'
import { plainFieldsOf, type SchemaField } from './shapes.ts'
import { proseOf } from './types.ts'
import { OPERATIONS, writeOf } from './writes.ts'

export interface Parts {
  readonly entities: readonly Entity[]
  readonly capabilities: readonly Capability[]
}

/** The entities and capabilities of a schema, and what is left out of them. */
export function readParts(
  schema: GraphQLSchema,
  endpoint: Endpoint,
): { readonly parts: Parts; readonly leftOut: readonly Problem[] } {
  const identities = identitiesOf(schema)
  const entities = new Entities(schema, identities)
  const sources: ReadSources = { schema, identities, endpoint, names: new UniqueNames(), entities }
  const types = [...identities].flatMap(([name, identity]) => {
    const type = schema.getType(name)
    return isCompositeType(type) ? [{ type, identity }] : []
  })
  const kept = types.slice(0, BOUNDS.entities)
  for (const { type } of kept) entities.of(type)
  const gets = kept.flatMap(({ type, identity: { get } }) => (get ? [getOf(type.name, get, sources)] : []))
  const getFields = new Set(kept.map(({ identity }) => identity.get?.field))
  const queries = operationsOf(schema.getQueryType()).filter((field) => !getFields.has(field))
  const reads = queries.flatMap((field) => pagedReads(field, sources) ?? [rootRead(field, sources)])
  const writes = operationsOf(schema.getMutationType()).map((field) => writeOf(field, sources))
  const nested = kept.flatMap(({ type, identity: { get } }) => {
    if (!get) return []
    const read = nestedReads(type, get, sources)
    entities.relate(type.name, read.relations)
    return read.capabilities
  })
  entities.hold()
  if (writes.some(({ entity }) => entity === OPERATIONS)) entities.addOperations()
  const all = [...gets, ...byUse(reads), ...writes, ...nested]
  const capabilities = labelled(all.slice(0, BOUNDS.capabilities)).map((one) => entities.provided(one))
  return {
    parts: { entities: entities.all(capabilities), capabilities },
    leftOut: [
      ...left(
        'subscriptions',
        operationsOf(schema.getSubscriptionType()).map(({ name }) => name),
      ),
      ...left(
        `types after the first ${BOUNDS.entities}`,
        types.slice(BOUNDS.entities).map(({ type }) => type.name),
      ),
      ...left(
        `operations after the first ${BOUNDS.capabilities}`,
        all.slice(BOUNDS.capabilities).map(({ name }) => name),
      ),
      ...left(
        `fields after the first ${BOUNDS.fields} of some types`,
        kept.filter(({ type }) => plainFieldsOf(type).length > BOUNDS.fields).map(({ type }) => type.name),
      ),
    ],
  }
}

/** The fields of a root type that are in use. */
function operationsOf(type: GraphQLObjectType | null | undefined): readonly SchemaField[] {
  return Object.values(type?.getFields() ?? {}).filter(
    ({ name, deprecationReason }) => deprecationReason == null && !name.startsWith('__'),
  )
}

const SHOWN = 5

function left(what: string, names: readonly string[]): readonly Problem[] {
  if (names.length === 0) return []
  return [
    rule('schema_left_out', { what, names: names.slice(0, SHOWN), more: Math.max(0, names.length - SHOWN) }),
  ]
}

/** The entities of a catalog, in the order in which they are asked for. */
class Entities {
  readonly #schema: GraphQLSchema
  readonly #identities: ReadonlyMap<string, Identity>
  readonly #made = new Map<string, Entity>()

  constructor(schema: GraphQLSchema, identities: ReadonlyMap<string, Identity>) {
    this.#schema = schema
    this.#identities = identities
  }

  /** The name of a type's entity, which is made when it is first asked for. */
  of(type: GraphQLCompositeType): string {
    if (!this.#made.has(type.name)) {
      const description = proseOf(type.description)
      this.#made.set(type.name, {
        ...EMPTY,
        name: type.name,
        ...(description !== undefined && { description }),
        key: this.#identities.get(type.name)?.key ?? [],
        fields: fieldsOf(type, { schema: this.#schema, identities: this.#identities }),
      })
    }
    return type.name
  }

  /** The entities of objects in lists that rows hold, and the relations to them. Types that are read elsewhere stay JSON. */
  hold(): void {
    const sources = { schema: this.#schema, identities: this.#identities }
    const read = new Set(this.#made.keys())
    for (const own of read) {
      const entity = this.#made.get(own)
      const type = this.#schema.getType(own)
      if (!entity || !isCompositeType(type)) continue
      const names = new Set(entity.fields.map(({ name }) => name))
      const taken = new Set(entity.relations.map(({ name }) => name))
      const held = [...heldLists(type, sources)].filter(
        ([name, item]) => names.has(name) && !taken.has(name) && !read.has(item.name),
      )
      for (const [, item] of held) this.#part(item, heldFieldsOf(item, sources))
      const relations = held.map(([name, { name: target }]): Relation => ({
        name,
        target,
        many: true,
        via: { kind: 'embedded', field: name },
      }))
      if (held.length > 0)
        this.#made.set(entity.name, { ...entity, relations: [...entity.relations, ...relations] })
    }
  }

  #part(type: GraphQLCompositeType, fields: Entity['fields']): void {
    if (this.#made.has(type.name)) return
    const description = proseOf(type.description)
    const described = description === undefined ? {} : { description }
    this.#made.set(type.name, { ...EMPTY, name: type.name, ...described, fields })
  }

  /** The name of an entity for values that are no objects. */
  ofValue(name: string, fields: Entity['fields']): string {
    const free = this.#made.has(name) || this.#schema.getType(name) ? `${name}Value` : name
    this.#made.set(free, { ...EMPTY, name: free, key: fields.map((field) => field.name), fields })
    return free
  }

  relate(name: string, relations: Entity['relations']): void {
    const entity = this.#made.get(name)
    if (entity) this.#made.set(name, { ...entity, relations })
  }

  /** A capability that gives rows, with the fields of the rows: whatever is asked for is in its answer. */
  provided(capability: Capability): Capability {
    const entity = this.#made.get(capability.entity)
    return entity && capability.effect !== 'side_effect'
      ? { ...capability, provides: namesOf(entity) }
      : capability
  }

  addOperations(): void {
    if (!this.#made.has(OPERATIONS))
      this.#made.set(OPERATIONS, { ...EMPTY, name: OPERATIONS, description: 'Operations on no entity' })
  }

  /** All of them; those without a capability are only reached from others. */
  all(capabilities: readonly Capability[]): readonly Entity[] {
    const own = new Set(capabilities.map(({ entity }) => entity))
    return [...this.#made.values()].map((entity) => ({ ...entity, abstract: !own.has(entity.name) }))
  }
}

/** The same list for all capabilities of an entity. */
const namesOf = once(({ fields }: Entity) => fields.map(({ name }) => name))

const EMPTY = {
  key: [],
  implicitIdentity: false,
  abstract: false,
  aliases: [],
  fields: [],
  relations: [],
  terms: [],
}

/** The read that an entity's name alone stands for comes first: the list of all rows, then other lists, then single rows. */
function byUse(reads: readonly Capability[]): readonly Capability[] {
  const rank = ({ label, kind, parameters, call }: Capability) => {
    const isSingle = call?.kind === 'graphql' && call.request.response.single
    if (parameters.some(({ required }) => required)) return 3
    if (isSingle) return 2
    return label === 'query' && kind === 'query' ? 0 : 1
  }
  return reads.toSorted((a, b) => rank(a) - rank(b))
}

/** Labels that are each given once per entity: of two equal ones, the later is spelled with its whole name. */
function labelled(capabilities: readonly Capability[]): readonly Capability[] {
  const used = new Set<string>()
  return capabilities.map((capability) => {
    const { entity, name } = capability
    const label =
      [capability.label, name.replaceAll('_', '-')].find((one) => !used.has(`${entity} ${one}`)) ?? name
    used.add(`${entity} ${label}`)
    return { ...capability, label }
  })
}
