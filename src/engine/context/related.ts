import type { Caller } from '../../access/caller.ts'
import { isNewer, type SessionRecord } from '../../session/record.ts'
import { isLive, livePicks } from '../../session/reuse.ts'
import type { EngineCall } from '../call.ts'
import type { Relation } from '../contract.ts'
import { sessionsIn } from './conversation.ts'
import type { FoundSession } from './find.ts'
import { principalKey, refFor } from '../session/principal.ts'
import { isSameGoal } from './same-goal.ts'

/** How many of the principal's newest sessions a new one is compared with, and how many relations are shown. */
const COMPARED = 50
const SHOWN = 3

/**
 * The relations of a session that was just opened: its parent if it is a fork; else the principal's live sessions that
 * look like the same goal in other words, or that it used in the same conversation of its host, so that the host can continue one
 * of them by `logical_session_ref`.
 */
export async function relationsOf(
  call: EngineCall,
  found: FoundSession,
  { record, conversation }: { readonly record: SessionRecord; readonly conversation: string | undefined },
): Promise<readonly Relation[]> {
  if (found.record) return []
  const { store, caller } = call
  const { parent, parentOrdinal } = found
  if (parent) {
    const named = parentOrdinal === null ? [] : [{ ordinal: parentOrdinal, record: parent }]
    return named.map((one) => relation(caller, 'forked_from', one, record))
  }
  const used = conversation === undefined ? [] : await sessionsIn(call, conversation)
  const alike = (await store.list(principalKey(caller, record.address), COMPARED))
    .filter((other) => other.record.address !== record.address && !isNewer(other.record))
    .filter((other) => isLive(other.record.row, found.now))
    .map((other) => ({ other, overlap: relation(caller, 'overlaps', other, record) }))
    .filter(({ other, overlap }) =>
      isSameGoal(record.intent ?? '', other.record.intent ?? '', overlap.shared),
    )
    .map(({ overlap }) => overlap)
  const inConversation = used
    .filter((other) => other.record.address !== record.address && isLive(other.record.row, found.now))
    .map((other) => relation(caller, 'same_conversation', other, record))
    .filter(({ logical_session_ref: ref }) => alike.every((one) => one.logical_session_ref !== ref))
  return [...alike, ...inConversation].slice(0, SHOWN)
}

function relation(
  caller: Caller,
  kind: Relation['kind'],
  { ordinal, record: other }: { readonly ordinal: number; readonly record: SessionRecord },
  record: SessionRecord,
): Relation {
  const known = new Set(namesOf(other))
  return {
    kind,
    logical_session_ref: refFor(caller, ordinal, other.address),
    shared: namesOf(record).filter((name) => known.has(name)),
  }
}

function namesOf({ waves }: SessionRecord): string[] {
  return livePicks(waves).flatMap(({ catalog, entities }) => entities.map((entity) => `${catalog}:${entity}`))
}
