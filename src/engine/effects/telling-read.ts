import { indexOf } from '../../catalog/lookup.ts'
import type { Capability, Entity } from '../../catalog/model.ts'
import type { EntityName } from '../../language/plan/plan.ts'
import type { LiveSession } from '../session/live-session.ts'

/**
 * The expression that shows whether a change was done: the entity by its key where that is known and a get reads it, else
 * all of its kind. Undefined where no call reads either.
 */
export function tellingRead(
  { derived, record }: LiveSession,
  { catalog, digest, entity: name }: EntityName,
  identity: Readonly<Record<string, string>> | undefined,
): string | undefined {
  const index = indexOf(derived.model(digest))
  const entity = index.entities.get(name)
  if (!entity) return undefined
  const reads = index.capabilitiesOf(name).filter(({ unsupported }) => unsupported.length === 0)
  const symbol = derived.spaceOf(record.waves).exposureOf(catalog, name)?.symbol ?? name
  if (identity && reads.some(({ kind }) => kind === 'get')) return `${symbol}(${keyText(entity, identity)})`
  return reads.some(isOpenQuery) ? symbol : undefined
}

/** A query that needs no argument. */
function isOpenQuery({ kind, parameters }: Capability): boolean {
  return kind === 'query' && parameters.every(({ required }) => !required)
}

function keyText({ fields }: Entity, identity: Readonly<Record<string, string>>): string {
  const slots = Object.entries(identity).map(([slot, text]) => {
    const isInteger = fields.find(({ name }) => name === slot)?.type.kind === 'integer'
    return [slot, isInteger ? text : JSON.stringify(text)] as const
  })
  const [only] = slots
  return slots.length === 1 && only ? only[1] : slots.map(([slot, value]) => `${slot}=${value}`).join(', ')
}
