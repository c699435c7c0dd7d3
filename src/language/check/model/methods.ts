import { once } from '../../../base/once.ts'
import { snake } from '../../../base/words/names.ts'
import { mayWalk } from '../../../catalog/uses.ts'
import { parametersOf } from '../../../catalog/lookup.ts'
import type { Capability, Entity, Parameter, Relation } from '../../../catalog/model.ts'
import { needsTarget } from '../../../catalog/target.ts'
import type { Name } from '../../syntax/tree.ts'
import type { Target } from './checked.ts'
import type { Context } from './context.ts'
import { capabilitiesOf, visibleEntities } from './resolve.ts'

/** A candidate for a name after a dot. */
export interface Method {
  readonly owner: Target
  readonly capability: Capability
  /** For a capability of another entity: the parameter that refers to the receiver. */
  readonly anchor?: Parameter
}

/**
 * The capabilities that the name refers to on the entity: its own by `m#`, label or full name (`-` and `_` are equivalent);
 * if there are none, those of other entities of the catalog that take the entity as a scope.
 */
export function methodsNamed(context: Context, target: Target, name: Name): readonly Method[] {
  const { scope } = context
  const own = capabilitiesOf(scope, target)
  const meaning = /^m[1-9]\d*$/.test(name.text) ? scope.space.meaning(name.text) : undefined
  if (meaning?.kind === 'method') {
    if (!meaning.exposed.live || meaning.exposed.catalog !== target.catalog.id) return []
    const capability = own.find((one) => one.name === meaning.capability)
    if (capability) return [{ owner: target, capability }]
    return anchored(context, target).filter((method) => method.capability.name === meaning.capability)
  }
  const exact = own.filter((capability) => capability.label === name.text)
  const matches =
    exact.length > 0 ? exact : own.filter((capability) => spellings(capability).includes(form(name.text)))
  if (matches.length > 0) return matches.map((capability) => ({ owner: target, capability }))
  return anchored(context, target).filter(({ capability }) => spellings(capability).includes(form(name.text)))
}

function form(text: string): string {
  return text.replaceAll('_', '-')
}

/** Every name of the capability in programs. */
function spellings(capability: Capability): readonly string[] {
  const joined = `${capability.entity.toLowerCase()}_`
  const { name } = capability
  const short = name.startsWith(joined) ? name.slice(joined.length) : name
  return [form(capability.label), form(name), form(short)]
}

/** Queries and creates of the catalog's other entities that are scoped by this one. */
function anchored(context: Context, target: Target): readonly Method[] {
  return visibleEntities(context.scope).flatMap(({ target: owner }) => {
    if (owner.catalog.id !== target.catalog.id || owner.entity.name === target.entity.name) return []
    return capabilitiesOf(context.scope, owner).flatMap((capability) => {
      if (capability.kind !== 'query' && capability.kind !== 'search' && capability.kind !== 'create')
        return []
      const anchor = anchorOf(target, capability)
      return anchor ? [{ owner, capability, anchor }] : []
    })
  })
}

/** The only parameter of the capability that the entity fills. */
export function anchorOf(target: Target, capability: Capability): Parameter | undefined {
  const { name } = target.entity
  const references = capability.parameters.filter(
    (parameter) =>
      parameter.type.kind === 'reference' && parameter.type.entity === name && isScope(parameter),
  )
  const [only] = references
  if (references.length === 1 && only) return only
  const idNames = idNamesOf(target)
  return target.entity.key.length === 1
    ? capability.parameters.find((parameter) => isScope(parameter) && idNames.has(parameter.name))
    : undefined
}

function isScope(parameter: Parameter): boolean {
  return parameter.required || parameter.role === 'scope'
}

/** Names of the entity's id in requests, besides its key: `order_line_id`, `orderline_id`, `orderLineId`. */
export function idNamesOf({ entity }: Target): ReadonlySet<string> {
  return idNames(entity)
}

const idNames = once(({ name }: Entity) => {
  return new Set([
    `${snake(name)}_id`,
    `${name.toLowerCase()}_id`,
    `${name.charAt(0).toLowerCase()}${name.slice(1)}Id`,
  ])
})

/** The names that a key fills: its parts, and `id`. */
export function keyNamesOf({ entity }: Target): ReadonlySet<string> {
  return keyNames(entity)
}

const keyNames = once(({ key }: Entity): ReadonlySet<string> => new Set([...key, 'id']))

/** The names that may follow a dot after rows of the entity; for the entity itself also capabilities without an id. */
export function stepNames(context: Context, target: Target, alone = false): readonly string[] {
  const { fields, relations } = target.entity
  const own = capabilitiesOf(context.scope, target).filter(
    // A get of a row is the row itself.
    (capability) => alone || (capability.kind !== 'get' && takesIdentity(target, capability)),
  )
  const others = anchored(context, target).filter(() => !alone)
  return [
    ...relations
      .filter((relation) => relation.via.kind !== 'none' && isWalkable(context, target, relation))
      .map((relation) => relation.name),
    ...fields.filter((field) => field.type.kind === 'reference').map((field) => field.name),
    ...own.map((capability) => capability.label),
    ...others.map(({ capability }) => capability.name),
  ]
}

/** Whether the relation is visible to the caller: its target and the capability that reads it must be. */
export function isWalkable(context: Context, target: Target, relation: Relation): boolean {
  return mayWalk(target.catalog, relation, context.scope.allows)
}

/** Whether the capability is called on the row of a key. Some requests declare the key among their parameters. */
export function takesIdentity(target: Target, capability: Capability): boolean {
  if (needsTarget(target.catalog, capability)) return true
  if (capability.kind !== 'get') return false
  const { key } = target.entity
  return key.length > 0 && key.every((name) => parametersOf(capability).has(name))
}

/** The get of `e3(…)`: the first of the entity that takes its key. */
export function getOf(context: Context, target: Target): Capability | undefined {
  return capabilitiesOf(context.scope, target).find(
    (capability) => capability.kind === 'get' && takesIdentity(target, capability),
  )
}
