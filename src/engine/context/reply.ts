import type { Caller } from '../../access/caller.ts'
import type { Json } from '../../base/canonical.ts'
import { revisionHolding } from '../../session/exposure.ts'
import { longRef } from '../../session/identity.ts'
import type { SessionRecord } from '../../session/record.ts'
import { isExtendedBy } from '../../session/reuse.ts'
import type { Found } from '../../session/store.ts'
import { staleNotice } from '../../teaching/notice.ts'
import type { ContextRequest } from './request.ts'
import type { ContextFacts, Continuity, Reply } from '../contract.ts'
import { refFor } from '../session/principal.ts'
import type { Relation } from './related.ts'
import type { Settled } from './settle.ts'

/**
 * The revision up to which the reader holds every row: by its `have`, else what was delivered to it; never more than this
 * call first loaded. After a new symbol space it holds none.
 */
export function baseRevision(found: Found, { have }: ContextRequest, record: SessionRecord): number {
  const loaded = found.record
  if (!loaded || !isExtendedBy(loaded, record)) return 0
  const held =
    have === undefined ? found.delivered : have === 0 ? 0 : (revisionHolding(loaded.waves, have) ?? 0)
  return Math.min(held, loaded.revision)
}

/** What an answer carries beside the session's state. */
interface Content {
  readonly relations: readonly Relation[]
  /** A fenced table, or one line. */
  readonly body: string
  readonly markDelivered?: () => Promise<void>
}

/** The answer: the ref, a notice if the binding was stale, and the body. */
export function contextReply(
  caller: Caller,
  found: Found,
  { record, ordinal, recovery }: Settled,
  { relations, body, markDelivered }: Content,
): Reply<ContextFacts> {
  const ref = refFor(caller, ordinal, record.address)
  const continuity = continuityOf(found.record, record)
  const notice = continuity.stale_binding_recovered ? staleNotice(recovery) : ''
  return {
    ok: true,
    text: `\`${ref}\`\n\n${notice}${body}`,
    meta: {
      logical_session_ref: ref,
      continuity: { ...continuity },
      domain_revision: record.revision,
      ...(relations.length > 0 ? { relations: relations.map((relation): Json => ({ ...relation })) } : {}),
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
    ...(markDelivered ? { markDelivered } : {}),
  }
}

/** What changed for the reader between the record that this call found and the one that it leaves. */
function continuityOf(found: SessionRecord | null, record: SessionRecord): Continuity {
  const recovered = found !== null && !isExtendedBy(found, record)
  return {
    stale_binding_recovered: recovered,
    new_symbol_space: recovered || found === null,
    ...(recovered || found === null ? { discard_cached_plasm_symbols: true as const } : {}),
    ...(recovered
      ? { previous_execute: { prompt_hash: found.row.promptHash, session_id: found.row.session } }
      : {}),
  }
}
