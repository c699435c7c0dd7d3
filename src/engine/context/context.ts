import { type Caller, visibilityOf } from '../../access/caller.ts'
import { unchangedLine } from '../../teaching/notice.ts'
import { fencedTable } from '../../teaching/table.ts'
import { refuse } from '../reply/answer.ts'
import { baseRevision, contextReply } from './reply.ts'
import { readContextRequest } from './request.ts'
import type { ContextFacts, ContextOptions, Reply } from '../contract.ts'
import type { Deliveries } from '../session/deliveries.ts'
import type { Models } from '../session/models.ts'
import { findSession, readOpening } from './find.ts'
import type { Parts } from '../parts.ts'
import { principalKey } from '../session/principal.ts'
import { relationsOf } from './related.ts'
import type { Repeats } from './repeats.ts'
import { settle } from './settle.ts'
import { isFresh } from '../session/touch.ts'

/**
 * `plasm_context`: opens, extends, repeats, forks or recovers a logical session (seed §1-§4). Two visits to the store;
 * everything between them is pure. A call that is wrong in any part changes nothing and lists every problem.
 */
export async function context(
  parts: Parts,
  models: Models,
  deliveries: Deliveries,
  repeats: Repeats,
  caller: Caller,
  input: unknown,
  { withoutIntent = false }: ContextOptions = {},
): Promise<Reply<ContextFacts>> {
  const set = parts.catalogs.current()
  const { seedsPerCall } = parts.limits
  const request = readContextRequest(input, caller, set, { seedsPerCall, withoutIntent })
  if (!request.ok) return refuse(request.problems)

  const found = await findSession(parts, models, deliveries, caller, request.value)
  if (!found.ok) return refuse(found.problems)
  const { record: held, ordinal, delivered, now, lost } = found.value
  const asked = {
    delegated: caller.delegated,
    request: request.value,
    set,
    ordinal,
    delivered,
    parent: found.value.parent?.address,
  }
  const again = held && !lost && isFresh(parts, held, now) ? repeats.of(held, asked) : undefined
  if (held && again) {
    parts.about?.(held)
    return again
  }
  const opening = readOpening(caller, request.value, found.value)
  if (!opening.ok) return refuse(opening.problems)

  const principal = principalKey(caller, opening.value.address)
  const settled = await settle(parts, models, principal, set, opening.value, found.value)
  if (!settled.ok) return refuse(settled.problems)

  const { record } = settled.value
  parts.about?.(record)
  const relations = await relationsOf(parts, caller, principal, found.value, record)
  const base = baseRevision(found.value, request.value, record)
  if (base === record.revision) {
    const reply = contextReply(caller, found.value, settled.value, relations, unchangedLine(record.waves))
    if (record === held) repeats.keep(record, asked, reply)
    return reply
  }
  const derived = await models.derive(record.waves, set)
  if (!derived.ok) return refuse(derived.problems)
  const table = fencedTable({ waves: record.waves, base, ...derived.value, ...visibilityOf(caller) })
  const { address, revision } = record
  const markDelivered = () =>
    deliveries.follow(principal, address, parts.store.markDelivered(principal, address, revision))
  return contextReply(
    caller,
    found.value,
    settled.value,
    relations,
    table === '' ? unchangedLine(record.waves) : table,
    markDelivered,
  )
}
