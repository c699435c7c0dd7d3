import type { Capability, Entity } from '../../model.ts'
import type { View } from '../../view.ts'
import type { ReadCapability } from './mappings/capabilities.ts'
import type { ReadEntity } from './domain/entities.ts'
import type { ReadView } from './views.ts'
import { rule } from './problems.ts'

/** Resolves the view of each capability that answers with one. */
export function withViews(
  capabilities: readonly ReadCapability[],
  views: ReadonlyMap<string, ReadView>,
): readonly ReadCapability[] {
  for (const [name, { section }] of views) checkAnswers(name, section, capabilities)
  return capabilities.map((read) => {
    const { capability, template } = read
    if (!template.view) return read
    const { name, section } = template.view
    const found = views.get(name)
    if (!found) {
      section.unknown('view', 'view', name, views.keys())
      return read
    }
    if (!['query', 'search', 'get'].includes(capability.kind))
      section.broken(rule('view_kind', { kind: capability.kind }), 'view')
    if (capability.entity !== found.entity)
      section.broken(rule('view_entity', { entity: found.entity }), 'view')
    const lacking = isGiven(capability, found.view) ? [] : ['unbound_variable']
    const unsupported = [...capability.unsupported, ...lacking]
    return { ...read, capability: { ...capability, call: { kind: 'view', view: found.view }, unsupported } }
  })
}

/** Checks that the capability that a view names answers with that view. */
function checkAnswers(name: string, section: ReadView['section'], all: readonly ReadCapability[]): void {
  const said = section.text('capability')
  const read = all.find(({ capability }) => capability.name === said)
  if (!read || read.template.view?.name === name) return
  section.broken(rule('view_unanswered', { capability: read.capability.name, view: name }), 'capability')
}

/** Whether a caller can supply the whole scope of the view. */
function isGiven({ kind, parameters }: Capability, { scope }: View): boolean {
  const names = parameters.map(({ name }) => name)
  return scope.every(
    ({ name, key, injected }) => injected || names.includes(name) || (kind === 'get' && key !== undefined),
  )
}

/** A relation that is only documented can be read if a view fills it. */
export function withFilledRelations(
  entities: readonly ReadEntity[],
  views: ReadonlyMap<string, ReadView>,
): readonly ReadEntity[] {
  const filled = new Set(
    [...views.values()].flatMap(({ entity, view }) =>
      view.relations.map(({ relation }) => `${entity}.${relation}`),
    ),
  )
  return entities.map((read) => ({ ...read, entity: filledIn(read.entity, filled) }))
}

function filledIn(entity: Entity, filled: ReadonlySet<string>): Entity {
  const relations = entity.relations.map((relation) =>
    relation.via.kind === 'none' && filled.has(`${entity.name}.${relation.name}`)
      ? { ...relation, via: { kind: 'embedded' as const } }
      : relation,
  )
  return { ...entity, relations }
}
