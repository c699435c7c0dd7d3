import type { Json } from '../../base/canonical.ts'
import type { PinnedCatalog } from '../../catalog/digest.ts'
import type { Capability, Entity } from '../../catalog/model.ts'
import type { Tried } from './gather.ts'
import { isRecord, scalarText } from '../../base/json.ts'
import { problem } from '../problems.ts'
import { compoundSlots } from '../http/request/environment.ts'
import { decodeRow } from '../http/response/decode.ts'
import { type CallContext, getRow } from '../source.ts'
import type { LiveRow } from '../row.ts'

/** The row that a reference names: out of the value itself where it holds enough, else by the get. */
export async function referredRow(
  context: CallContext,
  to: { readonly pinned: PinnedCatalog; readonly entity: Entity; readonly get: Capability | undefined },
  target: Json,
  { field, needs }: { readonly field: string; readonly needs?: readonly string[] | undefined },
): Promise<Tried<LiveRow>> {
  const { pinned, entity, get } = to
  const { catalog } = pinned
  const known = decodeRow(target, { catalog, entity, ambient: new Map() })
  if ('row' in known && (!get || satisfies(known.row, target, entity, needs)))
    return { ok: true, value: known.row, missing: null }
  const identity = 'row' in known && known.row.identity ? known.row.identity : slotsOf(target, entity)
  if (!identity || !get) return { ok: false, problem: problem('hole_no_identity', { text: field }) }
  const got = await getRow(context, { pinned, capability: get, identity, arguments: new Map(), needs })
  return got.ok ? { ...got, value: got.row } : got
}

/** Does what the parent's answer holds of the target already give all that is needed? */
function satisfies(
  row: LiveRow,
  target: Json,
  entity: Entity,
  needs: readonly string[] | undefined,
): boolean {
  if (needs) return needs.every((name) => Object.hasOwn(row.values, name))
  return isRecord(target) && entity.fields.every(({ name }) => Object.hasOwn(row.values, name))
}

function slotsOf(target: Json, entity: Entity): Readonly<Record<string, string>> | undefined {
  const [key] = entity.key
  if (entity.key.length > 1) {
    const slots = compoundSlots(entity.key, target)
    return slots && Object.fromEntries(slots)
  }
  const text = scalarText(target)
  return key === undefined || text === undefined ? undefined : { [key]: text }
}
