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
import { changedLines } from './changed.ts'
import { follow } from './follow.ts'
import { type FoundSession, whyNotOpen } from './find.ts'
import type { EngineCall } from '../call.ts'
import type { Limits } from '../parts.ts'
import { principalKey } from '../session/principal.ts'
import { engineProblem } from '../problems.ts'
import { touch } from '../session/touch.ts'

/** How often a call starts over when others change the same session concurrently. */
const ATTEMPTS = 50

/** The session as a context call leaves it. */
export interface CommittedSession {
  readonly record: SessionRecord
  readonly ordinal: number
  /** Why the row that this call found was replaced, if this call replaced it. */
  readonly recovery?: Recovery
  /** What changed of the entities that the session was taught. */
  readonly changes?: readonly string[]
}

/** Decides and commits; after a lost race it starts over with the record that won. */
export async function commitSession(
  call: EngineCall,
  current: CatalogSet,
  asked: Opening,
  found: FoundSession,
): Promise<Result<CommittedSession>> {
  const { models, limits, store } = call
  const principal = principalKey(call.caller, asked.address)
  const most = limits.sessionsPerPrincipal
  let { record, now, ordinal, lost = 0 } = found
  let recovery: Recovery | undefined
  let changes: readonly string[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const wrong = whyNotOpen(record, asked, found)
    if (wrong) return failed([wrong])
    const waves = (record ?? asked.parent)?.waves ?? []
    const read = await models.read(
      waves.flatMap((wave) => wave.picks),
      current,
    )
    if (!read.ok) return read
    const followed = follow(read.value.held, current, record, asked.picks)
    if (!followed.ok) return followed
    const unreadable = read.value.lost.size > 0
    const { set, picks } = followed.value
    const opening = { ...asked, picks }
    const decision = decide(record, opening, presentOf(call, set, opening.address, { now, lost, unreadable }))
    if (decision.kind === 'have_unknown')
      return failed([
        engineProblem('have_unknown', { have: asked.have ?? 0, last: decision.last }, { path: 'have' }),
      ])
    if (decision.kind === 'recover') {
      recovery = decision
      if (record) changes = await changedLines(models, record, set, decision.changedCatalogs)
    }
    if (decision.kind === 'repeat' && ordinal !== null) {
      await touch(call, decision.record, now)
      return ok({ record: decision.record, ordinal, ...(recovery && { recovery, changes }) })
    }
    // A principal that joins teaches nothing new, but the commit gives it a name for the session.
    const next = decision.kind === 'repeat' ? { ...decision.record, commit: call.newId() } : decision.next
    const full = fullness(next, limits)
    if (full) return failed([full])
    await models.keep([...pinnedDigests(next.waves).values()], set)
    const committed = await store.commit(principal, record, next, most)
    if (committed.committed) {
      return ok({ record: next, ordinal: committed.ordinal, ...(recovery && { recovery, changes }) })
    }
    if (committed.full) return failed([engineProblem('sessions_full', { most })])
    ;({ current: record, now, lost = 0 } = committed)
  }
  return failed([engineProblem('session_busy', {})])
}

function presentOf(
  { limits, newId, secrets }: EngineCall,
  set: CatalogSet,
  address: string,
  at: Pick<Present, 'now' | 'lost' | 'unreadable'>,
): Present {
  return {
    ...at,
    teachingVersion: TEACHING_VERSION,
    digestOf: (catalog) => set.byId.get(catalog)?.digest,
    hasEntity: (catalog, entity) => {
      const pinned = set.byId.get(catalog)
      return pinned !== undefined && indexOf(pinned.catalog).entities.has(entity)
    },
    rowLifeMs: limits.rowLifeMs,
    recordLifeMs: limits.recordLifeMs,
    newCommit: newId,
    sessionOf: (generation) => executeSessionId(secrets[0], address, generation),
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
