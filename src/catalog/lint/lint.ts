import type { Place, Problem } from '../../base/diagnostic.ts'
import { nearest } from '../../base/suggest.ts'
import { hasOwnName, requestOf } from '../call.ts'
import { indexOf } from '../lookup.ts'
import type { Capability, Catalog, Entity } from '../model.ts'
import { problem } from '../problems.ts'
import { unsentParameters } from './unsent.ts'
import { boundBy, variablesOf } from '../variables.ts'

/** The subject of a warning; the reader that has the file finds its place. */
interface Subject {
  readonly entity: string
  readonly capability?: string
  readonly key?: string
}

/** Finds the place of a subject; `{}` if it is unknown. */
export type Locate = (subject: Subject) => Place

/**
 * Lint of a valid catalog: variables without a source, optional variables that are always sent, unused parameters,
 * `provides` that name no field, answers that no field reads, entities without capabilities, ambiguous reads and clashing labels. In the catalog's
 * order.
 */
export function lint(catalog: Catalog, locate: Locate = () => ({})): Problem[] {
  return [
    ...catalog.capabilities.flatMap((capability) => lintCapability(capability, catalog, locate)),
    ...catalog.entities.flatMap((entity) => lintEntity(entity, catalog, locate)),
  ]
}

function lintCapability(capability: Capability, catalog: Catalog, locate: Locate): Problem[] {
  const { name, entity, kind, effect, provides, sideEffect } = capability
  const at = (key?: string) => locate({ entity, capability: name, ...(key !== undefined && { key }) })
  // An entity that could not be read is the problem: its fields are not missing here as well.
  const fields = indexOf(catalog)
    .entities.get(entity)
    ?.fields.map((field) => field.name)
  const strangers = fields ? [...new Set(provides)].filter((slot) => !fields.includes(slot)) : []
  const near = [...new Set(strangers.flatMap((slot) => nearest(slot, fields ?? [])))]
  const silent = kind === 'action' && effect === 'write' && sideEffect === undefined && !provides?.length
  return [
    ...(strangers.length > 0
      ? [
          problem(
            'unknown_provides',
            { capability: name, names: strangers, nearest: near },
            { ...at('provides'), nearest: near },
          ),
        ]
      : []),
    ...(silent ? [problem('action_says_nothing', { capability: name }, at())] : []),
    ...(isWritingGet(capability) ? [problem('get_is_write', { capability: name }, at())] : []),
    ...(isUnread(capability, indexOf(catalog).entities.get(entity))
      ? [
          problem(
            'value_unread',
            { capability: name, entity, format: requestOf(capability)?.response.format ?? '' },
            at('response'),
          ),
        ]
      : []),
    ...lintVariables(capability, catalog, at),
  ]
}

/** An answer that is one text, or bytes, has no keys: only a field with an empty path holds it. */
function isUnread(capability: Capability, entity: Entity | undefined): boolean {
  const response = requestOf(capability)?.response
  const isValue = response?.format !== undefined && !response.reshape && capability.effect === 'read'
  return isValue && entity?.fields.some(({ path }) => path.length === 0) === false
}

/** A GET that counts as a write: its operator may know better. */
function isWritingGet(capability: Capability): boolean {
  const method = requestOf(capability)?.method
  return capability.effect !== 'read' && (method === 'GET' || method === 'HEAD')
}

function lintVariables(capability: Capability, catalog: Catalog, at: (key?: string) => Place): Problem[] {
  const { name } = capability
  const request = requestOf(capability)
  if (!request) return []
  const { entities } = indexOf(catalog)
  const { always, sometimes } = boundBy(capability, (entity) => entities.get(entity))
  const uses = variablesOf(request)
  const found: Problem[] = []
  for (const use of uses) {
    if (use.guarded || always.has(use.name)) continue
    // Of a contract, what is absent stands for any value.
    if (capability.call?.kind === 'evm' && sometimes.has(use.name)) continue
    const near = nearest(use.name, [...always, ...sometimes])
    if (sometimes.has(use.name))
      found.push(problem('unguarded_variable', { capability: name, name: use.name }, at('parameters')))
    else
      found.push(
        problem(
          'unknown_variable',
          { capability: name, name: use.name, nearest: near },
          { ...at(), nearest: near },
        ),
      )
  }
  return [...found, ...unused(capability, catalog, at)]
}

function unused(capability: Capability, catalog: Catalog, at: (key?: string) => Place): Problem[] {
  const { entities } = indexOf(catalog)
  return unsentParameters(capability, (entity) => entities.get(entity)).map(({ name, required }) =>
    problem('unused_parameter', { capability: capability.name, name, required }, at('parameters')),
  )
}

function lintEntity(entity: Entity, catalog: Catalog, locate: Locate): Problem[] {
  const own = indexOf(catalog).capabilitiesOf(entity.name)
  const at = locate({ entity: entity.name })
  const reached = entity.abstract || own.length > 0
  return [
    ...(reached ? [] : [problem('entity_unreachable', { entity: entity.name }, at)]),
    ...(['query', 'search'] as const).flatMap((kind) => {
      const plain = own.filter(
        (capability) =>
          capability.kind === kind &&
          !hasOwnName(capability) &&
          !capability.parameters.some(({ required }) => required),
      )
      const [first, second] = plain
      const params = { entity: entity.name, kind, first: first?.name ?? '', second: second?.name ?? '' }
      return second ? [problem('two_plain_reads', params, at)] : []
    }),
    ...clashes(entity, own, at),
  ]
}

/** A method that is called without arguments reads like a field or a relation. */
function clashes(entity: Entity, own: readonly Capability[], at: Place): Problem[] {
  const slots = new Set([...entity.fields, ...entity.relations].map(({ name }) => name))
  return own
    .filter(
      ({ kind, parameters }) =>
        kind !== 'query' &&
        kind !== 'search' &&
        kind !== 'get' &&
        !parameters.some(({ required }) => required),
    )
    .filter(({ label }) => slots.has(label))
    .map(({ label }) => problem('name_clash', { entity: entity.name, name: label }, at))
}
