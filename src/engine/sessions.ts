import { type Caller, visibilityOf } from '../access/caller.ts'
import { failed, ok, type Result } from '../base/diagnostic.ts'
import { longRef, readRef } from '../session/identity.ts'
import type { SessionRecord } from '../session/record.ts'
import { isLive } from '../session/reuse.ts'
import { unchangedLine } from '../teaching/notice.ts'
import { fencedTable } from '../teaching/table.ts'
import { refuse } from './answer.ts'
import type { Reply, SessionFacts } from './contract.ts'
import type { Models } from './models.ts'
import type { Parts } from './parts.ts'
import { principalKey, principalKeyOfRef, refFor } from './principal.ts'
import { engineProblem } from './problems.ts'

/** The most sessions that one listing shows. */
const LISTED = 200

interface Held {
  readonly record: SessionRecord
  readonly ordinal: number
  readonly now: number
}

/** The caller's session behind a ref, live or not. Looking does not count as use. */
async function held(parts: Parts, caller: Caller, rawRef: string): Promise<Result<Held>> {
  const ref = readRef(rawRef)
  if (!ref) return failed([engineProblem('bad_ref', { ref: rawRef.slice(0, 40) })])
  const { record, ordinal, now } = await parts.store.findByRef(principalKeyOfRef(caller, ref), ref)
  if (!record || ordinal === null) return failed([engineProblem('unknown_session', { ref: rawRef })])
  parts.about?.(record)
  return ok({ record, ordinal, now })
}

/** One session of the caller's: its state, and the entities with their symbols. */
export async function session(
  parts: Parts,
  models: Models,
  caller: Caller,
  ref: string,
): Promise<Reply<SessionFacts>> {
  const found = await held(parts, caller, ref)
  if (!found.ok) return refuse(found.problems)
  const facts = await factsOf(parts, models, caller, found.value)
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
  const found = await held(parts, caller, ref)
  if (!found.ok) return refuse(found.problems)
  const { record } = found.value
  const derived = await models.derive(record.waves, parts.catalogs.current())
  const table = fencedTable({ waves: record.waves, base: 0, ...derived, ...visibilityOf(caller) })
  const facts = await factsOf(parts, models, caller, found.value)
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
  const now = parts.clock.now()
  const facts = await Promise.all(listed.map((entry) => factsOf(parts, models, caller, { ...entry, now })))
  const text = facts.length === 0 ? '_No sessions._\n' : `${facts.map(sessionLine).join('\n')}\n`
  return { ok: true, text, meta: {}, facts: { sessions: facts } }
}

/** Gives the session up: its ref means nothing from now on, and its intent starts afresh. */
export async function close(
  parts: Parts,
  caller: Caller,
  ref: string,
): Promise<Reply<{ readonly closed: boolean }>> {
  const found = await held(parts, caller, ref)
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

async function factsOf(
  parts: Parts,
  models: Models,
  caller: Caller,
  { record, ordinal, now }: Held,
): Promise<SessionFacts> {
  const { spaceOf } = await models.derive(record.waves, parts.catalogs.current())
  return {
    logicalSessionRef: refFor(caller, ordinal, record.address),
    longRef: longRef(record.address),
    alive: isLive(record.row, now),
    promptHash: record.row.promptHash,
    session: record.row.session,
    revision: record.revision,
    ...(record.intent === undefined ? {} : { intent: record.intent }),
    entities: spaceOf(record.waves)
      .entities.filter(({ catalog }) => caller.mayUseCatalog(catalog))
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
