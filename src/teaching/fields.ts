import { fieldsOf } from '../catalog/lookup.ts'
import type { Capability, Entity, Field, Relation } from '../catalog/model.ts'
import { entityGloss, type Naming, slotGloss, slotName, symbolIn } from './slots.ts'

/** Every field: those of the primary read in its order, then the others. */
export function taughtFields(entity: Entity, capabilities: readonly Capability[]): readonly Field[] {
  const reads = capabilities.filter(({ effect }) => effect === 'read')
  const primary =
    reads.find(({ name }) => name === entity.primaryRead) ??
    reads.find(({ kind }) => kind === 'get') ??
    reads.find(({ kind }) => kind === 'query') ??
    reads.find(({ kind }) => kind === 'search')
  const byName = fieldsOf(entity)
  const first = (primary?.provides ?? []).flatMap((name) => byName.get(name) ?? [])
  return [...new Set([...first, ...entity.fields])]
}

/** The relations, by name, whose rows fill the field of their name: a list, or an object around one. */
export function heldLists(
  relations: readonly Relation[],
  fields: ReadonlyMap<string, Field>,
): ReadonlyMap<string, Relation> {
  const isHeld = ({ name, via }: Relation) =>
    via.kind === 'embedded' || fields.get(name)?.type.kind === 'json'
  return new Map(relations.flatMap((one) => (one.many && isHeld(one) ? [[one.name, one] as const] : [])))
}

/**
 * A field in a list. Objects in a list can be walked as rows: `rrsets [e3]`, without their entity `rrsets [RrSet]`, or
 * `rrsets […]` where its name says no more than the owner's and the field's.
 */
export function fieldGloss(naming: Naming, field: Field, lists: ReadonlyMap<string, Relation>): string {
  const target = lists.get(field.name)?.target
  if (target === undefined) return slotGloss(naming, field)
  const isPlain = symbolIn(naming, target) === undefined && target.startsWith(naming.exposed.entity)
  return `${slotName(naming, field.name)} [${isPlain ? '…' : entityGloss(naming, target)}]`
}
