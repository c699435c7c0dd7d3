import type { Caller } from '../../access/caller.ts'
import { lossRevision, revisionHolding } from '../../session/exposure.ts'
import { longRef } from '../../session/identity.ts'
import type { SessionRecord } from '../../session/record.ts'
import { isExtendedBy, type Recovery } from '../../session/reuse.ts'
import { staleNotice } from '../../teaching/notice.ts'
import type { FoundSession } from './find.ts'
import type { ContextRequest } from './request.ts'
import type { ContextFacts, Continuity, Relation, Reply } from '../contract.ts'
import { refFor } from '../session/principal.ts'
import type { CommittedSession } from './commit.ts'

/** What a reader holds before this call's answer, and whether its symbols still count. */
interface Standing {
  /** The revision up to which it holds every row. */
  readonly taughtRevision: number
  /** The reader has symbols that no longer count, or may have. */
  readonly isStale: boolean
  /** The reader has no symbols of this session yet. */
  readonly isNew: boolean
  /** The loss that the reader has not heard of; absent where it has, or where there was none. */
  readonly missed?: Recovery
}

const LOSS: Recovery = { reason: 'store_went_back', changedCatalogs: [], lostEntities: [] }
const NOTHING_HELD = { taughtRevision: 0, isStale: false, isNew: true }

/**
 * Reads what the reader holds from its `have`, else from what was delivered to it; never more than this call first loaded.
 * After a new symbol space, and after a loss of the store that it has not heard of, it holds nothing. The symbols of a
 * parent hold in its fork.
 */
export function standingOf(found: FoundSession, { have }: ContextRequest, record: SessionRecord): Standing {
  const { record: loaded, parent, ordinal, delivered } = found
  const held = have === undefined ? undefined : revisionHolding((loaded ?? parent)?.waves ?? [], have)
  if (held === 'lost' || (held === 'unknown' && !loaded))
    return { taughtRevision: 0, isStale: true, isNew: false, missed: LOSS }
  if (!loaded) {
    const holds = typeof held === 'number' && held > 0 && record.row.generation === 1
    return holds ? { taughtRevision: held, isStale: false, isNew: false } : NOTHING_HELD
  }
  if (!isExtendedBy(loaded, record)) return { taughtRevision: 0, isStale: true, isNew: false }
  if (held === undefined && ordinal !== null && delivered < lossRevision(loaded.waves))
    return { taughtRevision: 0, isStale: true, isNew: false, missed: LOSS }
  const base = held === 'unknown' ? 0 : (held ?? delivered)
  return { taughtRevision: Math.min(base, loaded.revision), isStale: false, isNew: false }
}

/** What an answer carries beside the session's state. */
interface Content {
  readonly standing: Standing
  readonly relations: readonly Relation[]
  /** A fenced table, or one line. */
  readonly body: string
  readonly markDelivered?: () => Promise<void>
}

/** The answer: the ref, a notice if the binding was stale, and the body. */
export function contextReply(
  caller: Caller,
  found: FoundSession,
  { record, ordinal, recovery, changes }: CommittedSession,
  { standing, relations, body, markDelivered }: Content,
): Reply<ContextFacts> {
  const ref = refFor(caller, ordinal, record.address)
  const continuity = continuityOf(found.record, standing)
  const notice = continuity.stale_binding_recovered ? staleNotice(recovery ?? standing.missed, changes) : ''
  return {
    ok: true,
    text: `\`${ref}\`\n\n${notice}${body}`,
    meta: {
      logical_session_ref: ref,
      continuity: { ...continuity },
      domain_revision: record.revision,
      ...(relations.length > 0 && { relations }),
    },
    facts: {
      reused: !continuity.new_symbol_space,
      logicalSessionRef: ref,
      longRef: longRef(record.address),
      promptHash: record.row.promptHash,
      session: record.row.session,
      revision: record.revision,
      continuity,
    },
    ...(markDelivered && { markDelivered }),
  }
}

/** What this call changes for the reader of the record that it found. */
function continuityOf(found: SessionRecord | null, { isStale, isNew, missed }: Standing): Continuity {
  const replaced = isStale && !missed ? found?.row : undefined
  return {
    stale_binding_recovered: isStale,
    new_symbol_space: isStale || isNew,
    ...((isStale || isNew) && { discard_cached_plasm_symbols: true as const }),
    ...(replaced && { previous_execute: { prompt_hash: replaced.promptHash, session_id: replaced.session } }),
  }
}
