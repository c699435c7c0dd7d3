import { fenced } from '../../base/text/fenced.ts'
import type { Caller } from '../../access/caller.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { longRef, readIntent, readRef } from '../../session/identity.ts'
import { isNewer, type SessionRecord } from '../../session/record.ts'
import { isLive } from '../../session/reuse.ts'
import { unchangedLine } from '../../teaching/notice.ts'
import { TABLE_HEADER, teachingTable } from '../../teaching/table.ts'
import { refuse } from '../reply/answer.ts'
import type { Reply, SessionFacts, TableFacts } from '../contract.ts'
import type { Derived } from '../memory/models.ts'
import type { EngineCall } from '../call.ts'
import { principalKey, principalKeyOfRef, refFor } from './principal.ts'
import { engineProblem } from '../problems.ts'
import { findRotated } from './rotated.ts'
import { taughtTo } from './taught.ts'

/** The most sessions that one listing shows. */
const LISTED = 200

interface Held {
  readonly record: SessionRecord
  readonly ordinal: number
  readonly now: number
}

/** The caller's session behind a ref, live or not. Looking does not count as use. */
async function named({ store, caller, watch }: EngineCall, rawRef: string): Promise<Result<Held>> {
  const ref = readRef(rawRef)
  if (!ref) return failed([engineProblem('bad_ref', { ref: rawRef.slice(0, 40) })])
  const { record, ordinal, now } = await store.findByRef(principalKeyOfRef(caller, ref), ref)
  if (!record || ordinal === null) return failed([engineProblem('unknown_session', { ref: rawRef })])
  if (!isNewer(record)) watch.about(record)
  return ok({ record, ordinal, now })
}

/** The caller's session of an intent, live or not. */
async function intended(call: EngineCall, rawIntent: string): Promise<Result<Held>> {
  const { caller, secrets, models, store, watch } = call
  const read = readIntent(rawIntent)
  if ('wrong' in read) return failed([engineProblem('bad_intent', read, { path: 'intent' })])
  const addresses = models.addressesOf(secrets, caller.tenantScope, read.intent)
  const principal = principalKey(caller, addresses[0])
  const own = await store.findByAddress(principal, addresses[0])
  const { record, ordinal, now } = own.record ? own : ((await findRotated(call, principal, addresses)) ?? own)
  if (!record || ordinal === null)
    return failed([engineProblem('unknown_session', { ref: read.intent.slice(0, 40) })])
  if (!isNewer(record)) watch.about(record)
  return ok({ record, ordinal, now })
}

/** The same, with what its waves come to. */
async function held(
  call: EngineCall,
  name: string | { readonly intent: string },
): Promise<Result<Held & { readonly derived: Derived }>> {
  const found = await (typeof name === 'string' ? named(call, name) : intended(call, name.intent))
  if (!found.ok) return found
  const derived = await derive(call, found.value.record)
  return derived.ok ? ok({ ...found.value, derived: derived.value }) : derived
}

async function derive({ models, catalogs }: EngineCall, record: SessionRecord): Promise<Result<Derived>> {
  if (isNewer(record)) return failed([engineProblem('session_newer', {})])
  return models.derive(record.waves, catalogs.current())
}

/** One session of the caller's: its state, and the entities with their symbols. */
export async function session(
  call: EngineCall,
  name: string | { readonly intent: string },
): Promise<Reply<SessionFacts>> {
  const found = await held(call, name)
  if (!found.ok) return refuse(found.problems)
  const facts = factsOf(call.caller, found.value)
  return {
    ok: true,
    text: `${sessionLine(facts)}\n`,
    meta: { logical_session_ref: facts.logicalSessionRef },
    facts,
  }
}

/** The whole teaching table of a session: all rows that answers have carried so far. */
export async function sessionTable(call: EngineCall, ref: string): Promise<Reply<TableFacts>> {
  const found = await held(call, ref)
  if (!found.ok) return refuse(found.problems)
  const { record, derived } = found.value
  const table = teachingTable({ waves: record.waves, taughtRevision: 0, ...derived, ...taughtTo(call) })
  const facts = { ...factsOf(call.caller, found.value), table: table === '' ? TABLE_HEADER : table.trimEnd() }
  const body = table === '' ? unchangedLine(record.waves) : `${fenced(table, 'tsv')}\n`
  return {
    ok: true,
    text: `\`${facts.logicalSessionRef}\`\n\n${body}`,
    meta: { logical_session_ref: facts.logicalSessionRef },
    facts,
  }
}

/** The caller's sessions, newest first. */
export async function sessions(
  call: EngineCall,
): Promise<Reply<{ readonly sessions: readonly SessionFacts[] }>> {
  const { store, caller } = call
  const listed = await store.list(principalKey(caller), LISTED)
  const facts = await Promise.all(
    listed.map(async (entry) => {
      const derived = await derive(call, entry.record)
      return factsOf(caller, { ...entry, ...(derived.ok && { derived: derived.value }) })
    }),
  )
  const text = facts.length === 0 ? '_No sessions._\n' : `${facts.map(sessionLine).join('\n')}\n`
  return { ok: true, text, meta: {}, facts: { sessions: facts } }
}

/** Closes the session for the caller: its ref becomes unknown, and its intent opens a new session. */
export async function close(call: EngineCall, ref: string): Promise<Reply<{ readonly closed: boolean }>> {
  const { store, caller } = call
  const found = await named(call, ref)
  if (!found.ok) return refuse(found.problems)
  const { address } = found.value.record
  const closed = await store.close(principalKey(caller, address), address)
  return {
    ok: true,
    text: `Closed \`${refFor(caller, found.value.ordinal, address)}\`.\n`,
    meta: {},
    facts: { closed },
  }
}

/** The state of a session; without entities if this node cannot read its record or its catalogs were lost. */
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
    ...(record.intent !== undefined && { intent: record.intent }),
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
