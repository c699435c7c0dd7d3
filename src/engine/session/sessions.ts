import { type Caller, visibilityOf } from '../../access/caller.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { longRef, readRef } from '../../session/identity.ts'
import { isNewer, type SessionRecord } from '../../session/record.ts'
import { isLive } from '../../session/reuse.ts'
import { unchangedLine } from '../../teaching/notice.ts'
import { fencedTable } from '../../teaching/table.ts'
import { refuse } from '../reply/answer.ts'
import type { Reply, SessionFacts } from '../contract.ts'
import type { Derived, Models } from './models.ts'
import type { Parts } from '../parts.ts'
import { principalKey, principalKeyOfRef, refFor } from './principal.ts'
import { engineProblem } from '../problems.ts'

/** The most sessions that one listing shows. */
const LISTED = 200

interface Held {
  readonly record: SessionRecord
  readonly ordinal: number
  readonly now: number
}

/** The caller's session behind a ref, live or not. Looking does not count as use. */
async function named(parts: Parts, caller: Caller, rawRef: string): Promise<Result<Held>> {
  const ref = readRef(rawRef)
  if (!ref) return failed([engineProblem('bad_ref', { ref: rawRef.slice(0, 40) })])
  const { record, ordinal, now } = await parts.store.findByRef(principalKeyOfRef(caller, ref), ref)
  if (!record || ordinal === null) return failed([engineProblem('unknown_session', { ref: rawRef })])
  if (!isNewer(record)) parts.about?.(record)
  return ok({ record, ordinal, now })
}

/** The same, with what its waves come to. */
async function held(
  parts: Parts,
  models: Models,
  caller: Caller,
  rawRef: string,
): Promise<Result<Held & { readonly derived: Derived }>> {
  const found = await named(parts, caller, rawRef)
  if (!found.ok) return found
  const derived = await derive(parts, models, found.value.record)
  return derived.ok ? ok({ ...found.value, derived: derived.value }) : derived
}

async function derive(parts: Parts, models: Models, record: SessionRecord): Promise<Result<Derived>> {
  if (isNewer(record)) return failed([engineProblem('session_newer', {})])
  return models.derive(record.waves, parts.catalogs.current())
}

/** One session of the caller's: its state, and the entities with their symbols. */
export async function session(
  parts: Parts,
  models: Models,
  caller: Caller,
  ref: string,
): Promise<Reply<SessionFacts>> {
  const found = await held(parts, models, caller, ref)
  if (!found.ok) return refuse(found.problems)
  const facts = factsOf(caller, found.value)
  return {
    ok: true,
    text: `${sessionLine(facts)}\n`,
    meta: { logical_session_ref: facts.logicalSessionRef },
    facts,
  }
}

/** The whole teaching table of a session, as answers told it so far. */
export async function sessionTable(
  parts: Parts,
  models: Models,
  caller: Caller,
  ref: string,
): Promise<Reply<SessionFacts>> {
  const found = await held(parts, models, caller, ref)
  if (!found.ok) return refuse(found.problems)
  const { record, derived } = found.value
  const table = fencedTable({ waves: record.waves, base: 0, ...derived, ...visibilityOf(caller) })
  const facts = factsOf(caller, found.value)
  const body = table === '' ? unchangedLine(record.waves) : table
  return {
    ok: true,
    text: `\`${facts.logicalSessionRef}\`\n\n${body}`,
    meta: { logical_session_ref: facts.logicalSessionRef },
    facts,
  }
}

/** The caller's sessions, newest first. */
export async function sessions(
  parts: Parts,
  models: Models,
  caller: Caller,
): Promise<Reply<{ readonly sessions: readonly SessionFacts[] }>> {
  const listed = await parts.store.list(principalKey(caller), LISTED)
  const facts = await Promise.all(
    listed.map(async (entry) => {
      const derived = await derive(parts, models, entry.record)
      return factsOf(caller, { ...entry, ...(derived.ok ? { derived: derived.value } : {}) })
    }),
  )
  const text = facts.length === 0 ? '_No sessions._\n' : `${facts.map(sessionLine).join('\n')}\n`
  return { ok: true, text, meta: {}, facts: { sessions: facts } }
}

/** Gives the session up: its ref means nothing from now on, and its intent starts afresh. */
export async function close(
  parts: Parts,
  caller: Caller,
  ref: string,
): Promise<Reply<{ readonly closed: boolean }>> {
  const found = await named(parts, caller, ref)
  if (!found.ok) return refuse(found.problems)
  const { address } = found.value.record
  const closed = await parts.store.close(principalKey(caller, address), address)
  return {
    ok: true,
    text: `Closed \`${refFor(caller, found.value.ordinal, address)}\`.\n`,
    meta: {},
    facts: { closed },
  }
}

/** Of a session that this node cannot read, or whose catalogs were lost, all but the entities. */
function factsOf(
  caller: Caller,
  { record, ordinal, now, derived }: Held & { readonly derived?: Derived },
): SessionFacts {
  const entities = derived?.spaceOf(record.waves).entities ?? []
  return {
    logicalSessionRef: refFor(caller, ordinal, record.address),
    longRef: longRef(record.address),
    alive: isLive(record.row, now),
    promptHash: record.row.promptHash,
    session: record.row.session,
    revision: record.revision,
    ...(record.intent === undefined ? {} : { intent: record.intent }),
    entities: entities
      .filter(({ catalog }) => caller.mayUseCatalog(catalog))
      .map(({ symbol, catalog, entity, live }) => ({ symbol, api: catalog, entity, live })),
  }
}

function sessionLine({ logicalSessionRef, alive, intent, entities, revision }: SessionFacts): string {
  const names = entities
    .filter(({ live }) => live)
    .map(({ symbol, api, entity }) => `${symbol}=${api}.${entity}`)
  // An intent may hold anything that its host typed: JSON's escapes keep it on its line.
  return `${logicalSessionRef} ${alive ? 'live' : 'expired'} r${revision} ${JSON.stringify(intent ?? null)} ${names.join(' ')}`
}
