import type { Problem } from '../../base/diagnostic.ts'
import { freeze } from '../../base/freeze.ts'
import { nearest } from '../../base/suggest.ts'
import type { Capability, Entity, Relation, ServedCatalog } from '../model.ts'
import type { Paging, PathSegment } from '../calls/http-request.ts'
import { problem } from '../problems.ts'
import type { Corrections, PagingCorrection } from './setting.ts'

/** A corrected catalog, and the corrections that found nothing to correct. */
export interface Corrected {
  readonly catalog: ServedCatalog
  readonly warnings: readonly Problem[]
}

/** Applies the operator's corrections: names, hidden parts, effects, paging, keys and descriptions. */
export function corrected(catalog: ServedCatalog, corrections: Corrections): Corrected {
  const { entities = {}, capabilities = {}, description } = corrections
  const { byEntity, unfit } = fitting(catalog, entities)
  const byCapability = new Map(Object.entries(capabilities))
  const hidden = new Set([...byEntity].flatMap(([name, { hidden: is }]) => (is ? [name] : [])))
  const renamed = (name: string) => byEntity.get(name)?.name ?? name
  const keptCapabilities = catalog.capabilities.filter(
    ({ name, entity }) => !hidden.has(entity) && byCapability.get(name)?.hidden !== true,
  )
  const kept = new Set(keptCapabilities.map(({ name }) => name))
  const isRead = ({ target, via }: Relation) =>
    !hidden.has(target) && (!('capability' in via) || kept.has(via.capability))
  const changed: ServedCatalog = {
    ...catalog,
    ...(description !== undefined && { description }),
    entities: catalog.entities
      .filter(({ name }) => !hidden.has(name))
      .map((entity) => correctedEntity(entity, byEntity.get(entity.name), isRead)),
    capabilities: keptCapabilities.map((capability) => {
      const owner = catalog.entities.find(({ name }) => name === capability.entity)
      const keyed = withKey(capability, owner, byEntity.get(capability.entity)?.key)
      return correctedCapability(keyed, byCapability.get(capability.name))
    }),
  }
  const names = withNames(changed, renamed)
  return {
    catalog: freeze(names),
    warnings: [
      ...unfit,
      ...unused(
        'entity',
        Object.keys(entities),
        catalog.entities.map((one) => one.name),
      ),
      ...unused(
        'capability',
        [...byCapability.keys()],
        catalog.capabilities.map((one) => one.name),
      ),
    ],
  }
}

/** The corrections of entities without names that are taken and keys that are no fields, and a problem for each of these. */
function fitting(catalog: ServedCatalog, corrections: NonNullable<Corrections['entities']>) {
  const taken = new Set(catalog.entities.map(({ name }) => name))
  const unfit: Problem[] = []
  const byEntity = new Map<string, EntityCorrection>()
  for (const [own, { name, key, ...rest }] of Object.entries(corrections)) {
    const fields = new Set(
      catalog.entities.find((one) => one.name === own)?.fields.map((field) => field.name),
    )
    const isTaken = name !== undefined && name !== own && taken.has(name)
    const strange = fields.size > 0 ? key?.filter((field) => !fields.has(field)) : undefined
    if (isTaken)
      unfit.push(problem('correction_unfit', { name: own, reason: `another entity is named \`${name}\`` }))
    if (strange?.[0] !== undefined)
      unfit.push(problem('correction_unfit', { name: own, reason: `it has no field \`${strange[0]}\`` }))
    if (name !== undefined) taken.add(name)
    byEntity.set(own, {
      ...rest,
      ...(name !== undefined && !isTaken && { name }),
      ...(key && !strange?.length && { key }),
    })
  }
  return { byEntity, unfit }
}

function unused(what: string, given: readonly string[], known: readonly string[]): Problem[] {
  return given
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearest(name, known)
      return problem('correction_unused', { what, name, nearest: near }, { nearest: near })
    })
}

type EntityCorrection = NonNullable<Corrections['entities']>[string]
type CapabilityCorrection = NonNullable<Corrections['capabilities']>[string]

function correctedEntity(
  entity: Entity,
  correction: EntityCorrection | undefined,
  isRead: (relation: Relation) => boolean,
): Entity {
  const { description, key } = correction ?? {}
  return {
    ...entity,
    ...(description !== undefined && { description }),
    ...(key && { key, implicitIdentity: false }),
    relations: entity.relations.filter(isRead),
  }
}

/** The variables of paths that the old key filled are filled by the new one. */
function withKey(
  capability: Capability,
  owner: Entity | undefined,
  key: readonly string[] | undefined,
): Capability {
  const { call } = capability
  if (!key || !owner || owner.key.length !== key.length || !call || !('request' in call)) return capability
  const renamed = new Map(owner.key.map((slot, index) => [slot, key[index] ?? slot]))
  const path = call.request.path.map((segment): PathSegment =>
    segment.type === 'var' ? { ...segment, name: renamed.get(segment.name) ?? segment.name } : segment,
  )
  return { ...capability, call: { ...call, request: { ...call.request, path } } }
}

function correctedCapability(
  capability: Capability,
  correction: CapabilityCorrection | undefined,
): Capability {
  if (!correction) return capability
  const { name, description, effect, paging } = correction
  const { call, sideEffect: _sideEffect, ...rest } = capability
  const isHttp = call && 'request' in call
  const repaged =
    paging !== undefined && isHttp ? { ...call, request: withPaging(call.request, paging) } : call
  return {
    ...(effect === 'read' ? rest : capability),
    call: repaged,
    ...(name !== undefined && { label: name }),
    ...(description !== undefined && { description }),
    ...(effect === 'read' && { effect }),
    ...(effect === 'write' && capability.effect === 'read' && { effect }),
  }
}

function withPaging<Request extends { readonly paging?: Paging }>(
  { paging: old, ...request }: Request,
  correction: PagingCorrection,
) {
  const paging = pagingOf(correction, old)
  return { ...request, ...(paging && { paging }) }
}

/** The paging that a correction describes; it keeps the page size of the old one. */
function pagingOf(correction: PagingCorrection, old: Paging | undefined): Paging | undefined {
  if (correction === 'none') return undefined
  const sizes = (old?.parameters ?? []).filter((parameter) => parameter.kind === 'fixed')
  const base = {
    location: old?.location === 'body' ? ('body' as const) : ('query' as const),
    bodyPath: old?.bodyPath ?? [],
    ...(old?.pageSize !== undefined && { pageSize: old.pageSize }),
  }
  if (correction === 'link_header')
    return { ...base, location: 'link_header', parameters: sizes, responsePath: [] }
  if ('page' in correction) {
    const counter = { name: correction.page, kind: 'counter', start: correction.start, step: 1 } as const
    return { ...base, parameters: [counter, ...sizes], responsePath: [] }
  }
  if ('offset' in correction) {
    const counter = { name: correction.offset, kind: 'counter', start: 0, step: 'rows' } as const
    return { ...base, parameters: [counter, ...sizes], responsePath: [] }
  }
  if ('cursor' in correction) {
    const cursor = { name: correction.cursor, kind: 'cursor', field: correction.from } as const
    return { ...base, parameters: [cursor, ...sizes], responsePath: [] }
  }
  return {
    ...base,
    location: 'next_url',
    parameters: sizes,
    responsePath: [],
    nextUrlField: correction.next_url,
  }
}

/** Replaces names of entities wherever the model has them. */
function withNames(catalog: ServedCatalog, renamed: (name: string) => string): ServedCatalog {
  return {
    ...catalog,
    entities: catalog.entities.map((entity) => ({
      ...entity,
      name: renamed(entity.name),
      fields: referring(entity.fields, renamed),
      relations: entity.relations.map((relation) => ({ ...relation, target: renamed(relation.target) })),
    })),
    capabilities: catalog.capabilities.map((capability) => ({
      ...capability,
      entity: renamed(capability.entity),
      parameters: referring(capability.parameters, renamed),
    })),
  }
}

/** Types nest: a reference may be anywhere inside. */
function referring<Value>(value: Value, renamed: (name: string) => string): Value {
  const walked = (held: unknown): unknown => {
    if (Array.isArray(held)) return held.map(walked)
    if (typeof held !== 'object' || held === null) return held
    const entries = Object.entries(held).map(([key, inner]) => [key, walked(inner)] as const)
    const copy: Record<string, unknown> = Object.fromEntries(entries)
    if (copy['kind'] === 'reference' && typeof copy['entity'] === 'string')
      copy['entity'] = renamed(copy['entity'])
    return copy
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only names inside change
  return walked(value) as Value
}
