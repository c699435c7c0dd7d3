import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { type CatalogSet, indexOf } from '../../catalog/lookup.ts'
import { executeSessionId, TEACHING_VERSION } from '../../session/identity.ts'
import type { SessionRecord } from '../../session/record.ts'
import {
  decide,
  livePicks,
  type Opening,
  pinnedDigests,
  type Present,
  type Recovery,
} from '../../session/reuse.ts'
import { follow } from './follow.ts'
import type { Models } from '../session/models.ts'
import { type FoundSession, whyNotOpen } from './find.ts'
import type { Limits, Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import { touch } from '../session/touch.ts'

/** How often a call starts over when others change the same session at the same time. */
const ATTEMPTS = 50

/** What a context call left behind. */
export interface Settled {
  readonly record: SessionRecord
  readonly ordinal: number
  /** Why the row that this call found could not go on, where this call saw it. */
  readonly recovery?: Recovery
}

/** Decides and commits, and again on what is there now, until nobody else was first. */
export async function settle(
  parts: Parts,
  models: Models,
  principal: string,
  current: CatalogSet,
  asked: Opening,
  found: FoundSession,
): Promise<Result<Settled>> {
  let { record, now, ordinal, lost = 0 } = found
  let recovery: Recovery | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const wrong = whyNotOpen(record, asked, found)
    if (wrong) return failed([wrong])
    const followed = await follow(models, current, record, asked.picks)
    if (!followed.ok) return followed
    const { set, picks } = followed.value
    const opening = { ...asked, picks }
    const decision = decide(record, opening, presentOf(parts, set, opening.address, now, lost))
    if (decision.kind === 'recover') recovery = decision
    if (decision.kind === 'repeat' && ordinal !== null) {
      await touch(parts, decision.record, now)
      return ok({ record: decision.record, ordinal, ...(recovery ? { recovery } : {}) })
    }
    // A principal who joins changes nothing but gets a name for the session.
    const next = decision.kind === 'repeat' ? { ...decision.record, commit: parts.newId() } : decision.next
    const full = fullness(next, parts.limits)
    if (full) return failed([full])
    await models.keep([...pinnedDigests(next.waves).values()], set)
    const most = parts.limits.sessionsPerPrincipal
    const committed = await parts.store.commit(principal, record, next, most)
    if (committed.committed) {
      return ok({ record: next, ordinal: committed.ordinal, ...(recovery ? { recovery } : {}) })
    }
    if (committed.full) return failed([engineProblem('sessions_full', { most })])
    ;({ current: record, now, lost = 0 } = committed)
  }
  return failed([engineProblem('session_busy', {})])
}

function presentOf(parts: Parts, set: CatalogSet, address: string, now: number, lost: number): Present {
  return {
    now,
    lost,
    teachingVersion: TEACHING_VERSION,
    digestOf: (catalog) => set.byId.get(catalog)?.digest,
    hasEntity: (catalog, entity) => {
      const pinned = set.byId.get(catalog)
      return pinned !== undefined && indexOf(pinned.catalog).entities.has(entity)
    },
    rowLifeMs: parts.limits.rowLifeMs,
    recordLifeMs: parts.limits.recordLifeMs,
    newCommit: parts.newId,
    sessionOf: (generation) => executeSessionId(parts.secrets[0], address, generation),
  }
}

function fullness(record: SessionRecord, limits: Limits): Problem | undefined {
  if (record.waves.length > limits.wavesPerSession) {
    return engineProblem('session_full', { what: 'additions', most: limits.wavesPerSession })
  }
  const entities = livePicks(record.waves).reduce((sum, pick) => sum + pick.entities.length, 0)
  return entities > limits.entitiesPerSession
    ? engineProblem('session_full', { what: 'entities', most: limits.entitiesPerSession })
    : undefined
}
