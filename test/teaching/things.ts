import { indexOf, textParameter } from '../../src/catalog/lookup.ts'
import type { Capability, Catalog, Entity, Parameter, Relation, Type } from '../../src/catalog/model.ts'
import { targetParameters } from '../../src/catalog/target.ts'

/**
 * Everything of a catalog that an agent can write, a line each: entities, fields and relations with their types,
 * capabilities with what they give, arguments with their types. Types are spelt as `reading.ts` spells them.
 */
export function thingsIn(catalog: Catalog): readonly string[] {
  return catalog.entities
    .filter(({ abstract }) => !abstract)
    .flatMap((entity) => {
      const fields = fieldsRead(catalog, entity)
      const relations = entity.relations.filter(
        (relation) => isWalkable(catalog, relation) && !fields.some(({ name }) => name === relation.name),
      )
      return [
        `entity ${entity.name}`,
        ...fields.map(({ name, type }) => `${entity.name}.${name} ${spelt(type)}`),
        ...relations.map(
          ({ name, target, many }) => `${entity.name}.${name} ${many ? `[ref ${target}]` : `ref ${target}`}`,
        ),
        ...usable(catalog, entity.name).flatMap((capability) => [
          `${capability.name} gives ${resultOf(capability)}`,
          ...argumentsOf(catalog, capability),
        ]),
      ]
    })
}

/** The entity's capabilities that can run. */
export function usable(catalog: Catalog, entity: string): readonly Capability[] {
  return indexOf(catalog)
    .capabilitiesOf(entity)
    .filter(({ unsupported }) => unsupported.length === 0)
}

/** The fields that some read fills; all of them where nothing says which. */
function fieldsRead(catalog: Catalog, { name, fields }: Entity): Entity['fields'] {
  const reads = usable(catalog, name).filter(({ effect }) => effect === 'read')
  const provided = reads.map(({ provides = [] }) => provides)
  if (provided.length === 0 || provided.some(({ length }) => length === 0)) return fields
  return fields.filter((field) => provided.some((names) => names.includes(field.name)))
}

function isWalkable(catalog: Catalog, { target, via }: Relation): boolean {
  const { entities, capabilities } = indexOf(catalog)
  if (via.kind === 'none' || entities.get(target)?.abstract !== false) return false
  return !('capability' in via) || capabilities.get(via.capability)?.unsupported.length === 0
}

/** Without those that a target brings along. */
function argumentsOf(catalog: Catalog, capability: Capability): readonly string[] {
  const brought = targetParameters(catalog, capability)
  return capability.parameters
    .filter(({ name }) => !brought.has(name))
    .map((parameter) => argumentThing(capability, parameter, spelt(parameter.type)))
}

/** The line of an argument. The words of a search are its own, wherever they go. */
export function argumentThing(capability: Capability, { name, required }: Parameter, type: string): string {
  const isText = capability.kind === 'search' && textParameter(capability)?.name === name
  return `${capability.name}(${name}${required || isText ? '' : '?'}) ${type}`
}

function resultOf({ entity, effect, kind }: Capability): string {
  if (effect !== 'read') return effect === 'write' ? `write ${entity}` : 'write'
  return kind === 'query' || kind === 'search' ? `[${entity}]` : entity
}

function spelt(type: Type): string {
  switch (type.kind) {
    case 'string':
      return type.semantics === 'short' ? 'str' : type.semantics === 'json_text' ? 'json' : type.semantics
    case 'integer':
      return 'int'
    case 'number':
      return 'num'
    case 'boolean':
      return 'bool'
    case 'uuid':
    case 'date':
    case 'json':
    case 'blob':
      return type.kind
    case 'select':
      return type.options.map((option) => JSON.stringify(option)).join('|')
    case 'multi_select':
      return `[${type.options.map((option) => JSON.stringify(option)).join('|')}]`
    case 'array':
      return `[${spelt(type.items)}]`
    case 'reference':
      return `ref ${type.entity}`
    case 'object':
      return `{${members(type.fields)}}`
    case 'union':
      return type.variants.map(({ name, fields }) => `${name}{${members(fields)}}`).join('|')
  }
}

function members(fields: readonly Parameter[]): string {
  return fields.map(({ name, type, required }) => `${name}${required ? '' : '?'} ${spelt(type)}`).join(', ')
}
