import { fenced } from '../../base/text/fenced.ts'
import { ok } from '../../base/diagnostic.ts'
import type { CatalogSet } from '../../catalog/lookup.ts'
import type { SessionRecord } from '../../session/record.ts'
import { NOTHING_TO_TEACH, unchangedLine } from '../../teaching/notice.ts'
import { teachingTable } from '../../teaching/table.ts'
import type { EngineCall } from '../call.ts'
import type { ContextFacts, ContextOptions, Reply } from '../contract.ts'
import { refuse } from '../reply/answer.ts'
import { announceDelivery } from '../memory/deliveries.ts'
import { principalKey } from '../session/principal.ts'
import { isFresh } from '../session/touch.ts'
import { bindTo } from './conversation.ts'
import { findSession, readOpening } from './find.ts'
import { relationsOf } from './related.ts'
import { contextReply, standingOf } from './reply.ts'
import { readContextRequest } from './request.ts'
import { commitSession } from './commit.ts'
import { taughtTo } from '../session/taught.ts'

/**
 * `plasm_context`: opens (also as a fork), extends, repeats or recovers a logical session. A call that is wrong in any part changes
 * nothing and lists every problem.
 *
 * Visits to the store: a repeat finds the session, and that is all. Any other call also keeps the catalog models that the
 * record names, at the same time, and commits the record. A call that finds no session first looks for one under an older
 * secret, and after the commit it lists the caller's sessions for `relations`; where the host names its conversation, it notes
 * the session for that.
 */
export async function context(
  call: EngineCall,
  input: unknown,
  { withoutIntent = false, announced }: ContextOptions = {},
): Promise<Reply<ContextFacts>> {
  const { caller } = call
  const set = call.catalogs.current()
  const read = readContextRequest(input, {
    caller,
    scope: call.scope,
    set,
    seedsPerCall: call.limits.seedsPerCall,
    withoutIntent,
  })
  if (!read.ok) return refuse(read.problems)
  const request = read.value

  const search = await findSession(call, request)
  if (!search.ok) return refuse(search.problems)
  const found = search.value
  const { record: held, ordinal, delivered, parent } = found
  const conversation = announced?.conversation
  const { delegated } = caller
  const asked = { delegated, request, set, ordinal, delivered, parent: parent?.address, conversation }
  const repeated = held && !found.lost && isFresh(call, held, found.now) && call.repeats.of(held, asked)
  if (repeated) {
    call.watch.about(held)
    return repeated
  }

  const opening = readOpening(caller, request, found)
  if (!opening.ok) return refuse(opening.problems)
  const committed = await commitSession(call, set, opening.value, found)
  if (!committed.ok) return refuse(committed.problems)
  const { record } = committed.value
  call.watch.about(record)

  const relations = await relationsOf(call, found, { record, conversation })
  if (conversation !== undefined) await bindTo(call, conversation, record)
  const standing = standingOf(found, request, record)
  const { taughtRevision } = standing
  if (taughtRevision === record.revision) {
    const body = unchangedLine(record.waves)
    const reply = contextReply(caller, found, committed.value, { standing, relations, body })
    if (record === held) call.repeats.keep(record, asked, reply)
    return reply
  }
  const table = await rowsAfter(call, set, record, taughtRevision)
  if (!table.ok) return refuse(table.problems)
  const without = taughtRevision === 0 ? NOTHING_TO_TEACH : unchangedLine(record.waves)
  const body = table.value === '' ? without : `${fenced(table.value, 'tsv')}\n`
  const { address, revision } = record
  if (call.isShared)
    await announceDelivery(call, { address, principal: principalKey(caller, address) }, revision)
  const markDelivered = () => noteDelivery(call, record)
  return contextReply(caller, found, committed.value, { standing, relations, body, markDelivered })
}

/** The table of the rows after this revision that the caller may see; `''` if there are none. */
async function rowsAfter(
  call: EngineCall,
  set: CatalogSet,
  { waves }: SessionRecord,
  taughtRevision: number,
) {
  const derived = await call.models.derive(waves, set)
  return derived.ok
    ? ok(teachingTable({ waves, taughtRevision, ...derived.value, ...taughtTo(call) }))
    : derived
}

function noteDelivery(
  { store, deliveries, caller }: EngineCall,
  { address, revision }: SessionRecord,
): Promise<void> {
  const principal = principalKey(caller, address)
  return deliveries.follow(principal, address, store.markDelivered(principal, address, revision))
}
