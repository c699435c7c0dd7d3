import { mayUse } from '../../src/catalog/uses.ts'
import { indexOf, textParameter } from '../../src/catalog/lookup.ts'
import type { Capability, Catalog, Parameter, Relation, Type } from '../../src/catalog/model.ts'
import { targetParameters } from '../../src/catalog/target.ts'

/**
 * Everything of a catalog that an agent can write, a line each: entities, fields and relations with their types,
 * capabilities with what they give, arguments with their types. Types are spelt as `reading.ts` spells them.
 */
export function thingsIn(catalog: Catalog, allows: Allows): readonly string[] {
  return catalog.entities
    .filter((entity) => !entity.abstract && isVisible(catalog, entity.name, allows))
    .flatMap((entity) => {
      const { fields } = entity
      const relations = entity.relations.filter(
        (relation) =>
          isWalkable(catalog, relation, allows) && !fields.some(({ name }) => name === relation.name),
      )
      return [
        `entity ${entity.name}`,
        ...fields.map(({ name, type }) => `${entity.name}.${name} ${spelt(type)}`),
        ...relations.map(
          ({ name, target, many }) => `${entity.name}.${name} ${many ? `[ref ${target}]` : `ref ${target}`}`,
        ),
        ...usable(catalog, entity.name, allows).flatMap((capability) => [
          `${capability.name} gives ${resultOf(capability)}`,
          ...argumentsOf(catalog, capability),
        ]),
      ]
    })
}

/** May the reader use the capability? */
export type Allows = (catalog: string, capability: string) => boolean

/** The entity's capabilities that can run, and that the reader may use. */
export function usable(catalog: Catalog, entity: string, allows: Allows): readonly Capability[] {
  return indexOf(catalog)
    .capabilitiesOf(entity)
    .filter((one) => one.unsupported.length === 0 && mayUse(catalog.id, one, allows))
}

/** Whoever may use nothing of an entity does not see it. */
function isVisible(catalog: Catalog, entity: string, allows: Allows): boolean {
  const all = indexOf(catalog).capabilitiesOf(entity)
  return all.length === 0 || all.some((one) => mayUse(catalog.id, one, allows))
}

function isWalkable(catalog: Catalog, { target, via }: Relation, allows: Allows): boolean {
  const { entities, capabilities } = indexOf(catalog)
  if (via.kind === 'none' || entities.get(target)?.abstract !== false) return false
  if (!isVisible(catalog, target, allows)) return false
  const walked = 'capability' in via ? capabilities.get(via.capability) : undefined
  return !walked || (walked.unsupported.length === 0 && mayUse(catalog.id, walked, allows))
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
