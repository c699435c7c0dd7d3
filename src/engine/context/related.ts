import type { Caller } from '../../access/caller.ts'
import { isNewer, type SessionRecord } from '../../session/record.ts'
import { isLive, livePicks } from '../../session/reuse.ts'
import type { Call } from '../call.ts'
import type { FoundSession } from './find.ts'
import { principalKey, refFor } from '../session/principal.ts'

/** The relation of a session to another one of the same principal. Information for hosts: sessions are never merged. */
export interface Relation {
  readonly kind: 'overlaps' | 'forked_from'
  readonly logical_session_ref: string
  /** `api:Entity`: what both sessions expose. */
  readonly shared: readonly string[]
}

/** How many of the principal's newest sessions a new one is compared with, and how many relations are shown. */
const COMPARED = 50
const SHOWN = 3

/** The least similarity of two intents that counts as the same goal in other words. */
const ALIKE = 0.35

/**
 * The relations of a session that was just opened: its parent if it is a fork; else the principal's live sessions that
 * look like the same goal in other words, so that a host can continue one of them by `logical_session_ref`.
 */
export async function relationsOf(
  { store, caller }: Call,
  found: FoundSession,
  record: SessionRecord,
): Promise<readonly Relation[]> {
  if (found.record) return []
  const others = (await store.list(principalKey(caller, record.address), COMPARED)).filter(
    (other) => other.record.address !== record.address && !isNewer(other.record),
  )
  if (found.parent) {
    const parent = others.find((other) => other.record.address === found.parent?.address)
    return parent ? [relation(caller, 'forked_from', parent, record)] : []
  }
  return others
    .filter((other) => isLive(other.record.row, found.now))
    .filter((other) => {
      const { shared } = relation(caller, 'overlaps', other, record)
      return overlaps(shared.length, namesOf(record).length, similarity(record.intent, other.record.intent))
    })
    .slice(0, SHOWN)
    .map((other) => relation(caller, 'overlaps', other, record))
}

/** Do two sessions look like one goal? Several shared entities, all of the new session's, or one and similar words. */
function overlaps(shared: number, own: number, alike: number): boolean {
  return shared >= 2 || (shared > 0 && (shared === own || alike >= ALIKE))
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

/** The share of words that two intents have in common: 1 for the same words, 0 for none. */
function similarity(a = '', b = ''): number {
  const words = [a, b].map((intent) => new Set(intent.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []))
  const [first = new Set<string>(), second = new Set<string>()] = words
  const both = [...first].filter((word) => second.has(word)).length
  const all = new Set([...first, ...second]).size
  return all === 0 ? 0 : both / all
}
