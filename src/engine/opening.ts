import type { Caller } from '../access/caller.ts'
import { canonicalJson } from '../base/canonical.ts'
import { failed, ok, type Result } from '../base/diagnostic.ts'
import { lastEntityNumber } from '../session/exposure.ts'
import { addressOf } from '../session/identity.ts'
import type { SessionRecord } from '../session/record.ts'
import type { Opening } from '../session/reuse.ts'
import type { Found } from '../session/store.ts'
import type { ContextRequest } from './context-request.ts'
import type { Parts } from './parts.ts'
import { engineProblem } from './problems.ts'

/** What a context call found: the session it names, and the one it is forked from. */
export interface FoundSession extends Found {
  readonly parent?: SessionRecord
}

/** Finds the session by the caller's own name for it, else by its intent; and, for a fork, its parent. */
export async function findSession(
  parts: Parts,
  caller: Caller,
  request: ContextRequest,
): Promise<Result<FoundSession>> {
  const principal = canonicalJson(caller.principal)
  const found = request.ref
    ? await byRef(parts, principal, request.ref, 'logical_session_ref')
    : ok(await byIntent(parts, principal, caller, request.intent ?? ''))
  if (!found.ok || !request.forkOf) return found
  const parent = await byRef(parts, principal, request.forkOf, 'fork_of')
  if (!parent.ok) return parent
  return ok(parent.value.record ? { ...found.value, parent: parent.value.record } : found.value)
}

function byIntent(
  { store, secret }: Parts,
  principal: string,
  caller: Caller,
  intent: string,
): Promise<Found> {
  return store.findByAddress(principal, addressOf(secret, caller.tenantScope, intent).address)
}

async function byRef(
  { store }: Parts,
  principal: string,
  { ref, text }: NonNullable<ContextRequest['ref']>,
  path: string,
): Promise<Result<Found>> {
  const found = await store.findByRef(principal, ref)
  return found.record ? ok(found) : failed([engineProblem('unknown_session', { ref: text }, { path })])
}

/** The request as the decision takes it; refuses what can only be seen beside the record. */
export function readOpening(
  { secret }: Parts,
  caller: Caller,
  request: ContextRequest,
  { record, parent }: FoundSession,
): Result<Opening> {
  const named =
    request.intent === undefined ? undefined : addressOf(secret, caller.tenantScope, request.intent)
  if (record && named && record.address !== named.address) {
    return failed([engineProblem('intent_names_another_session', { ref: request.ref?.text ?? '' })])
  }
  if (record && parent && record.parent?.address !== parent.address) {
    return failed([engineProblem('fork_elsewhere', {}, { path: 'fork_of' })])
  }
  if (!record && !parent && request.picks.length === 0) {
    return failed([engineProblem('missing_seeds', {}, { path: 'seeds' })])
  }
  const at = record ?? named
  if (!at) throw new Error('a context request has neither a record nor an intent')
  const intent = request.intent ?? record?.intent
  return ok({
    address: at.address,
    logicalSessionId: at.logicalSessionId,
    scope: record?.scope ?? caller.tenantScope,
    ...(intent === undefined ? {} : { intent }),
    delegated: caller.delegated ?? null,
    picks: request.picks,
    ...(parent ? { parent } : {}),
    holdsUnknownSymbols:
      record !== null && request.have !== undefined && request.have > lastEntityNumber(record.waves),
  })
}
