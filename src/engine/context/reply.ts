import type { Caller } from '../../access/caller.ts'
import type { Json } from '../../base/canonical.ts'
import { revisionHolding } from '../../session/exposure.ts'
import { longRef } from '../../session/identity.ts'
import type { SessionRecord } from '../../session/record.ts'
import { goesOn } from '../../session/reuse.ts'
import type { Found } from '../../session/store.ts'
import { staleNotice } from '../../teaching/notice.ts'
import type { ContextRequest } from './request.ts'
import type { ContextFacts, Continuity, Reply } from '../contract.ts'
import { refFor } from '../session/principal.ts'
import type { Relation } from './related.ts'
import type { Settled } from './settle.ts'

/**
 * The revision up to which the reader holds everything: what it says that it holds, else what it was told; never more than
 * this call first loaded. Nothing of a new symbol space is held.
 */
export function baseRevision(found: Found, { have }: ContextRequest, record: SessionRecord): number {
  const loaded = found.record
  if (!loaded || !goesOn(loaded, record)) return 0
  const held =
    have === undefined ? found.delivered : have === 0 ? 0 : (revisionHolding(loaded.waves, have) ?? 0)
  return Math.min(held, loaded.revision)
}

/** The answer: ref, notice where a binding was stale, and the body (seed §1.5, §1.6, §1.11, §4). */
export function contextReply(
  caller: Caller,
  found: Found,
  { record, ordinal, recovery }: Settled,
  relations: readonly Relation[],
  body: string,
  markDelivered?: () => Promise<void>,
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

/** What changed under the reader between what this call found and what it leaves (seed §4). */
function continuityOf(found: SessionRecord | null, record: SessionRecord): Continuity {
  const recovered = found !== null && !goesOn(found, record)
  return {
    stale_binding_recovered: recovered,
    new_symbol_space: recovered || found === null,
    ...(recovered || found === null ? { discard_cached_plasm_symbols: true as const } : {}),
    ...(recovered
      ? { previous_execute: { prompt_hash: found.row.promptHash, session_id: found.row.session } }
      : {}),
  }
}
