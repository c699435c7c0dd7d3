import type { Caller } from '../access/caller.ts'
import { canonicalJson } from '../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../base/diagnostic.ts'
import { indexOf, type CatalogSet } from '../catalog/lookup.ts'
import { lastEntityNumber, revisionHolding } from '../session/exposure.ts'
import { addressOf, executeSessionId, longRef, shortRef, TEACHING_VERSION } from '../session/identity.ts'
import type { SessionRecord } from '../session/record.ts'
import {
  decide,
  livePicks,
  type Opening,
  pinnedDigests,
  type Present,
  type Recovery,
} from '../session/reuse.ts'
import type { Found } from '../session/store.ts'
import { staleNotice, unchangedLine } from '../teaching/notice.ts'
import { fencedTable } from '../teaching/table.ts'
import { refuse } from './answer.ts'
import { readContextRequest, type ContextRequest } from './context-request.ts'
import type { ContextFacts, Continuity, Reply } from './contract.ts'
import type { Models } from './models.ts'
import type { Limits, Parts } from './parts.ts'
import { engineProblem } from './problems.ts'
import { touch } from './touch.ts'

/** How often a call starts over when others change the same session at the same time. */
const ATTEMPTS = 50

/**
 * `plasm_context`: opens, extends, repeats or recovers a logical session (seed §1-§4). Two visits to the store; everything
 * between them is pure. A call that is wrong in any part changes nothing and lists every problem.
 */
export async function context(
  parts: Parts,
  models: Models,
  caller: Caller,
  input: unknown,
): Promise<Reply<ContextFacts>> {
  const set = parts.catalogs.current()
  const request = readContextRequest(input, caller, set, parts.limits.seedsPerCall)
  if (!request.ok) return refuse(request.problems)

  const principal = canonicalJson(caller.principal)
  const found = await find(parts, principal, caller, request.value)
  const opening = found.ok ? readOpening(parts, caller, request.value, found.value) : found
  if (!opening.ok || !found.ok) return refuse(opening.ok ? [] : opening.problems)

  const settled = await settle(parts, models, principal, set, opening.value, found.value)
  if (!settled.ok) return refuse(settled.problems)

  const { record, ordinal } = settled.value
  const base = baseRevision(found.value, request.value, record)
  if (base === record.revision) return reply(found.value, settled.value, unchangedLine(record.waves))
  const model = await models.load(
    record.waves.flatMap((wave) => wave.picks.map((pick) => pick.digest)),
    set,
  )
  const table = fencedTable(record.waves, base, model, caller.mayUseCapability)
  return reply(found.value, settled.value, table === '' ? unchangedLine(record.waves) : table)
}

function find(
  parts: Parts,
  principal: string,
  caller: Caller,
  request: ContextRequest,
): Promise<Result<Found & { intent?: string }>> {
  return request.ref
    ? findByRef(parts, principal, request.ref)
    : findByIntent(parts, principal, caller, request.intent ?? '')
}

async function findByIntent(
  parts: Parts,
  principal: string,
  caller: Caller,
  intent: string,
): Promise<Result<Found>> {
  const { address } = addressOf(parts.secret, caller.tenantScope, intent)
  return ok(await parts.store.findByAddress(principal, address))
}

async function findByRef(
  parts: Parts,
  principal: string,
  { ref, text }: NonNullable<ContextRequest['ref']>,
): Promise<Result<Found>> {
  const found = await parts.store.findByRef(principal, ref)
  if (found.record) return ok(found)
  return failed([engineProblem('unknown_session', { ref: text }, { path: 'logical_session_ref' })])
}

/** The request as the decision takes it; refuses what can only be seen beside the record. */
function readOpening(
  parts: Parts,
  caller: Caller,
  request: ContextRequest,
  { record }: Found,
): Result<Opening> {
  const named =
    request.intent === undefined ? undefined : addressOf(parts.secret, caller.tenantScope, request.intent)
  if (record && named && record.address !== named.address) {
    return failed([engineProblem('intent_names_another_session', { ref: request.ref?.text ?? '' })])
  }
  if (!record && request.picks.length === 0)
    return failed([engineProblem('missing_seeds', {}, { path: 'seeds' })])
  const address = record ?? named
  if (!address) throw new Error('a context request has neither a record nor an intent')
  const intent = request.intent ?? record?.intent
  return ok({
    address: address.address,
    logicalSessionId: address.logicalSessionId,
    scope: record?.scope ?? caller.tenantScope,
    ...(intent === undefined ? {} : { intent }),
    delegated: caller.delegated ?? null,
    picks: request.picks,
    holdsUnknownSymbols:
      record !== null && request.have !== undefined && request.have > lastEntityNumber(record.waves),
  })
}

interface Settled {
  readonly record: SessionRecord
  readonly ordinal: number
  /** Why the row that this call found could not go on, where this call saw it. */
  readonly recovery?: Recovery
}

/** Decides and commits until nobody else was first. */
async function settle(
  parts: Parts,
  models: Models,
  principal: string,
  set: CatalogSet,
  opening: Opening,
  found: Found,
): Promise<Result<Settled>> {
  let { record, now, ordinal } = found
  let recovery: Recovery | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const decision = decide(record, opening, presentOf(parts, set, opening.address, now))
    if (decision.kind === 'recover') recovery = decision
    if (decision.kind === 'repeat' && ordinal !== null) {
      await touch(parts, decision.record, now)
      return ok({ record: decision.record, ordinal, ...(recovery ? { recovery } : {}) })
    }
    const next = decision.kind === 'repeat' ? { ...decision.record, commit: parts.newId() } : decision.next
    const full = fullness(next, parts.limits)
    if (full) return failed([full])
    await models.keep(pinnedDigests(next.waves).values(), set)
    const committed = await parts.store.commit(principal, record, next)
    if (committed.committed)
      return ok({ record: next, ordinal: committed.ordinal, ...(recovery ? { recovery } : {}) })
    ;({ current: record, now } = committed)
  }
  return failed([engineProblem('session_busy', {})])
}

function presentOf(parts: Parts, set: CatalogSet, address: string, now: number): Present {
  return {
    now,
    teachingVersion: TEACHING_VERSION,
    digestOf: (catalog) => set.byId.get(catalog)?.digest,
    hasEntity: (catalog, entity) => {
      const pinned = set.byId.get(catalog)
      return pinned !== undefined && indexOf(pinned.catalog).entities.has(entity)
    },
    rowLifeMs: parts.limits.rowLifeMs,
    recordLifeMs: parts.limits.recordLifeMs,
    commit: parts.newId(),
    sessionOf: (generation) => executeSessionId(parts.secret, address, generation),
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

/**
 * The revision up to which the reader holds everything: what this call first loaded, or less where the caller says that it
 * holds less. Nothing of a new symbol space is held, and nothing by a principal who joins.
 */
function baseRevision(found: Found, { have }: ContextRequest, record: SessionRecord): number {
  const loaded = found.record
  if (!loaded || found.ordinal === null || loaded.row.generation !== record.row.generation) return 0
  if (have === undefined) return loaded.revision
  return have === 0 ? 0 : Math.min(loaded.revision, revisionHolding(loaded.waves, have) ?? 0)
}

function reply(found: Found, { record, ordinal, recovery }: Settled, body: string): Reply<ContextFacts> {
  const ref = shortRef(ordinal)
  const continuity = continuityOf(found.record, record)
  const notice = continuity.stale_binding_recovered ? staleNotice(recovery) : ''
  return {
    ok: true,
    text: `\`${ref}\`\n\n${notice}${body}`,
    meta: { logical_session_ref: ref, continuity: { ...continuity }, domain_revision: record.revision },
    facts: {
      reused: !continuity.new_symbol_space,
      logicalSessionRef: ref,
      longRef: longRef(record.address),
      promptHash: record.row.promptHash,
      session: record.row.session,
      revision: record.revision,
      continuity,
    },
  }
}

/** What changed under the reader between what this call found and what it leaves (seed §4). */
function continuityOf(found: SessionRecord | null, record: SessionRecord): Continuity {
  const recovered = found !== null && found.row.generation !== record.row.generation
  return {
    stale_binding_recovered: recovered,
    new_symbol_space: recovered || found === null,
    ...(recovered || found === null ? { discard_cached_plasm_symbols: true as const } : {}),
    ...(recovered
      ? { previous_execute: { prompt_hash: found.row.promptHash, session_id: found.row.session } }
      : {}),
  }
}
