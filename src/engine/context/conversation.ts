import { sha256 } from '../../base/hash.ts'
import { isNewer, type SessionRecord } from '../../session/record.ts'
import type { Listed } from '../../session/store.ts'
import type { EngineCall } from '../call.ts'
import { principalKey } from '../session/principal.ts'

/** The most sessions that are remembered for one conversation of a host. */
const MOST = 32

/*
 * Which sessions a principal used in which conversation of its host. Information for `relations` alone: agents that work for
 * one another share the host's id, so it selects and merges no session.
 */

/** The sessions that this caller used in the conversation and still has a name for, the last one that it began to use first. */
export async function sessionsIn(
  call: EngineCall,
  conversation: string,
): Promise<readonly Omit<Listed, 'now'>[]> {
  const { store, caller } = call
  if (caller.isAnonymous) return []
  const principal = principalKey(caller)
  const entries = await store.entries(ownerOf(call, conversation), 'conversation', MOST)
  const found = await Promise.all(
    entries.toReversed().map(({ name }) => store.findByRef(principal, { address: name })),
  )
  return found.flatMap(({ record, ordinal }) =>
    record && ordinal !== null && !isNewer(record) ? [{ record, ordinal }] : [],
  )
}

/** Remembers that this caller used the session in the conversation, for as long as a record lives. */
export async function bindTo(
  call: EngineCall,
  conversation: string,
  { address }: SessionRecord,
): Promise<void> {
  const { store, caller, limits } = call
  if (caller.isAnonymous) return
  await store.claim({
    owner: ownerOf(call, conversation),
    kind: 'conversation',
    name: address,
    body: 'null',
    lifeMs: limits.recordLifeMs,
    most: MOST,
  })
}

/** The principal is part of the owner: the same id from another principal leads to other entries. */
function ownerOf({ caller }: EngineCall, conversation: string) {
  return { address: sha256(conversation).slice(0, 32), principal: principalKey(caller) }
}
