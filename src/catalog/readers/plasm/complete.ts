import { isOutsideBody, pathVariables, requestOf, viewOf } from '../../call.ts'
import { capabilitiesUsedBy } from '../../uses.ts'
import { indexOf } from '../../lookup.ts'
import type { Capability, Catalog, Entity, Parameter, Relation, ServedCatalog } from '../../model.ts'
import { problem } from '../../problems.ts'
import { lint } from '../../lint/lint.ts'
import { unsentParameters } from '../../lint/unsent.ts'
import { boundBy, variablesOf } from '../../variables.ts'
import type { Notes } from '../document/notes.ts'
import type { Section } from '../document/section.ts'

/** Places in the file. */
export interface Sections {
  readonly entity: ReadonlyMap<string, Section>
  readonly capability: ReadonlyMap<string, Section>
  /** The offset of a capability whose page size is unknown, by capability: it counts by one. */
  readonly stepUnknown: ReadonlyMap<string, string>
}

/**
 * Completes a model: adds what the files leave out (path variables, the input of an undeclared body), drops what cannot be used
 * (parameters that no request sends, relations that bind one, `provides` that name no field), says what each capability
 * lacks, and warns.
 */
export function complete(read: ServedCatalog, sections: Sections, notes: Notes): ServedCatalog {
  const place = (capability: string, key?: string) => sections.capability.get(capability)?.at(key) ?? {}
  for (const [capability, name] of sections.stepUnknown) {
    notes.warn(problem('step_unknown', { capability, name }, place(capability)))
  }
  const declared = read.capabilities.map((capability) => {
    const missing = undeclared(capability, read)
    for (const { name } of missing) {
      notes.warn(
        problem('undeclared_path_variable', { capability: capability.name, name }, place(capability.name)),
      )
    }
    return missing.length > 0
      ? { ...capability, parameters: [...missing, ...capability.parameters] }
      : capability
  })
  const catalog = { ...read, capabilities: declared }
  const found = lint(catalog, ({ entity, capability, key }) =>
    capability === undefined ? (sections.entity.get(entity)?.at(key) ?? {}) : place(capability, key),
  )
  for (const warning of found) notes.warn(warning)
  const alone = declared.map((capability) => completed(capability, catalog))
  const byName = new Map(alone.map((capability) => [capability.name, capability]))
  return {
    ...catalog,
    entities: catalog.entities.map((entity) => withReadRelations(entity, byName)),
    capabilities: alone.map((capability) => withLacks(capability, byName)),
  }
}

/** A relation that binds a parameter which is not sent would give the rows of all parents to each: it cannot be read. */
function withReadRelations(entity: Entity, byName: ReadonlyMap<string, Capability>): Entity {
  const isSent = ({ via }: Relation): boolean => {
    if (!('bindings' in via)) return true
    const names = byName.get(via.capability)?.parameters.map(({ name }) => name)
    return !names || via.bindings.every(({ parameter }) => names.includes(parameter))
  }
  if (entity.relations.every(isSent)) return entity
  const relations = entity.relations.map((one) =>
    isSent(one) ? one : { ...one, via: { kind: 'none' } as const },
  )
  return { ...entity, relations }
}

/** A capability lacks the features that the ones it uses lack. Views of views are refused: they could recurse without end. */
function withLacks(capability: Capability, byName: ReadonlyMap<string, Capability>): Capability {
  const parts = capabilitiesUsedBy(capability).flatMap((name) => byName.get(name) ?? [])
  if (parts.length === 0) return capability
  const nests = viewOf(capability) !== undefined && parts.some((part) => viewOf(part) !== undefined)
  const lacking = [...parts.flatMap(({ unsupported }) => unsupported), ...(nests ? ['view_in_view'] : [])]
  return { ...capability, unsupported: [...new Set([...capability.unsupported, ...lacking])].toSorted() }
}

/** Variables that other hosts bind from their own session; callers cannot supply them. */
const SESSION = /^(?:share_token|base_token)$/

/** Path variables without a source become parameters: a caller can supply what the author forgot to declare. */
function undeclared(capability: Capability, catalog: Catalog): Parameter[] {
  const { entities } = indexOf(catalog)
  const { always, sometimes } = boundBy(capability, (name) => entities.get(name))
  return [...new Set(pathVariables(capability))]
    .filter((name) => !always.has(name) && !sometimes.has(name) && !SESSION.test(name))
    .map((name) => ({ name, type: { kind: 'string', semantics: 'short' }, required: true, role: 'scope' }))
}

/** The whole body as one argument, where nothing declares its parts. */
const INPUT: Parameter = { name: 'input', type: { kind: 'json' }, required: false, role: 'plain' }

function completed(capability: Capability, catalog: Catalog): Capability {
  const { entities } = indexOf(catalog)
  const fields = new Set(entities.get(capability.entity)?.fields.map(({ name }) => name))
  const request = requestOf(capability)
  const uses = request ? variablesOf(request) : []
  const { always, sometimes } = boundBy(capability, (name) => entities.get(name))
  const lost: string[] = uses
    .filter(({ name, guarded }) => !guarded && !always.has(name) && !sometimes.has(name))
    .map(({ name }) => (SESSION.test(name) ? 'session_variable' : 'unbound_variable'))
  const takesInput = uses.some(({ name }) => name === 'input')
  const isBodyUndeclared =
    takesInput && capability.parameters.every((parameter) => isOutsideBody(capability, parameter))
  const unsent = unsentParameters(capability, (name) => entities.get(name))
  if (unsent.some(({ required }) => required)) lost.push('unsent_parameter')
  const parameters = capability.parameters.filter((parameter) => !unsent.includes(parameter))
  return {
    ...capability,
    parameters: isBodyUndeclared ? [...parameters, INPUT] : parameters,
    openInput: capability.openInput && !isBodyUndeclared && (!request || takesInput),
    ...(capability.provides && { provides: capability.provides.filter((name) => fields.has(name)) }),
    unsupported: [...new Set([...capability.unsupported, ...lost])].toSorted(),
  }
}
