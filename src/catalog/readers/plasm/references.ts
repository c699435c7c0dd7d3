import type { Problem } from '../../../base/diagnostic.ts'
import { requestOf } from '../../call.ts'
import { problem } from '../../problems.ts'
import type { Capability, Entity, Relation, Via } from '../../model.ts'
import type { ReadCapability } from './mappings/capabilities.ts'
import type { ReadEntity } from './domain/entities.ts'
import type { Section } from '../document/section.ts'
import { rule } from './problems.ts'

/** Checks the references between entities and capabilities: each name must exist and fit. */
export function checkReferences(
  entities: readonly ReadEntity[],
  capabilities: readonly ReadCapability[],
  catalog: Section,
): void {
  // An entity with errors of its own is still declared.
  const declared = new Set(catalog.entries('entities').map(([name]) => name))
  const byName = new Map(capabilities.map(({ capability }) => [capability.name, capability]))
  const known = new Set(catalog.entries('capabilities').map(([name]) => name))
  checkAliases(entities, declared)
  for (const { entity, section } of entities) {
    checkPrimaryRead(entity, section, byName, known)
    for (const relation of entity.relations)
      checkRelation(entity, relation, section, { declared, byName, known })
  }
  const entityByName = new Map(entities.map(({ entity }) => [entity.name, entity]))
  for (const { capability, section } of capabilities)
    checkCapability(capability, entityByName.get(capability.entity), section)
}

interface Names {
  readonly declared: ReadonlySet<string>
  readonly byName: ReadonlyMap<string, Capability>
  readonly known: ReadonlySet<string>
}

function checkAliases(entities: readonly ReadEntity[], declared: ReadonlySet<string>): void {
  const seen = new Set(declared)
  for (const { entity, section } of entities) {
    for (const name of entity.aliases) {
      const params = { where: 'the catalog', what: 'entity name or alias', name }
      if (seen.has(name))
        section.notes.error(problem('duplicate_name', params, section.at('expression_aliases')))
      seen.add(name)
    }
  }
}

function checkPrimaryRead(
  { name, primaryRead }: Entity,
  section: Section,
  byName: ReadonlyMap<string, Capability>,
  known: ReadonlySet<string>,
): void {
  if (primaryRead === undefined) return
  if (!known.has(primaryRead)) return section.unknown('primary_read', 'capability', primaryRead, known)
  const capability = byName.get(primaryRead)
  if (!capability || (capability.kind === 'get' && capability.entity === name)) return
  section.broken(rule('primary_read_unfit', {}), 'primary_read')
}

function checkRelation(
  entity: Entity,
  { name, target, many, via }: Relation,
  section: Section,
  names: Names,
): void {
  if (!names.declared.has(target)) {
    const nearest = section.notes.nearest(target, names.declared)
    section.notes.error(
      problem(
        'unknown_name',
        { where: section.path(`relations.${name}.target`), what: 'entity', name: target, nearest },
        { ...section.within('relations', name, 'target'), nearest },
      ),
    )
    return // a capability cannot be checked against a missing target
  }
  const field = entity.fields.find((held) => held.name === name)
  if (field?.type.kind === 'reference' && via.kind !== 'embedded') {
    section.broken(rule('relation_is_reference', { name }), 'relations', name)
  }
  if (via.kind !== 'query' && via.kind !== 'get') return
  const wrong = relationFault(entity, target, via, names)
  if (wrong && many === (via.kind === 'query')) section.broken(wrong, 'relations', name, 'materialize')
}

/** The problem of a relation with its capability; undefined if it fits. */
function relationFault(
  entity: Entity,
  target: string,
  via: Extract<Via, { kind: 'query' | 'get' }>,
  { byName, known }: Names,
): Problem | undefined {
  const capability = byName.get(via.capability)
  if (!capability) {
    if (known.has(via.capability)) return undefined
    return rule('relation_capability_unknown', { capability: via.capability })
  }
  const kinds = via.kind === 'get' ? ['get'] : ['query', 'search']
  if (capability.entity !== target || !kinds.includes(capability.kind)) {
    const { name, kind, entity: of } = capability
    return rule('relation_capability_unfit', { name, kind, entity: of, kinds, target })
  }
  const parameters = capability.parameters.map((parameter) => parameter.name)
  const fields = new Set([...entity.fields.map((field) => field.name), ...entity.key])
  for (const { parameter, field } of via.bindings) {
    if (!parameters.includes(parameter)) {
      const wrong = { capability: capability.name, parameter, known: parameters }
      return rule('relation_parameter_unknown', wrong)
    }
    if (field !== undefined && !fields.has(field)) {
      return rule('relation_field_unknown', { entity: entity.name, field, known: [...fields] })
    }
  }
  return undefined
}

function checkCapability(capability: Capability, entity: Entity | undefined, section: Section): void {
  const body = requestOf(capability)?.body
  const input = capability.parameters.find(({ name }) => name === 'input')
  const scalars = ['string', 'uuid', 'integer', 'number', 'boolean', 'select', 'date', 'reference']
  if (body?.type === 'var' && body.name === 'input' && input && scalars.includes(input.type.kind)) {
    section.broken(rule('input_is_parameter', {}), 'parameters')
  }
  if (capability.kind !== 'query') return
  for (const { name, type } of capability.parameters) {
    const field = entity?.fields.find((held) => held.name === name)
    if (type.kind !== 'reference' || field?.type.kind !== 'reference' || type.entity === field.type.entity)
      continue
    const differing = { name, here: type.entity, field: field.type.entity }
    section.broken(rule('reference_differs', differing), 'parameters')
  }
}
