import type { Caller } from '../../access/caller.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { addressOfPicks, TEACHING_VERSION } from '../../session/identity.ts'
import { isNewer, type SessionRecord } from '../../session/record.ts'
import type { Opening } from '../../session/reuse.ts'
import type { Found } from '../../session/store.ts'
import { findRotated, leadsTo } from '../session/rotated.ts'
import type { ContextRequest } from './request.ts'
import { deliveredElsewhere, waitForDeliveries } from '../memory/deliveries.ts'
import { type Addresses, addressesBy } from '../memory/models.ts'
import type { EngineCall } from '../call.ts'
import { principalKey, principalKeyOfRef } from '../session/principal.ts'
import { engineProblem } from '../problems.ts'

/** What a context call found: the session that it names, and the one that it forks from. */
export interface FoundSession extends Found {
  /** The address of the call's intent, or of its seeds if it has neither an intent nor a ref. */
  readonly intended: string | undefined
  readonly parent: SessionRecord | undefined
  /** The caller's number for the parent. */
  readonly parentOrdinal: number | null
  /** How many numbers the parent's lost waves may have used. */
  readonly parentLost: number
  /** The caller's own name for the session, where the call gives one. */
  readonly ref: string | undefined
}

/** Finds the session by the caller's own name for it, else by its intent or its seeds; and, for a fork, its parent. */
export async function findSession(call: EngineCall, request: ContextRequest): Promise<Result<FoundSession>> {
  const { caller, store, deliveries } = call
  const { intent, ref, forkOf } = request
  const addressesIn = (scope: readonly string[]) => addressesOf(call, request, scope)
  const own = ref ? undefined : addressesIn(caller.tenantScope)
  const principal = ref ? principalKeyOfRef(caller, ref.ref) : principalKey(caller, own?.[0])
  let at = own?.[0] ?? ''
  const find = () => (ref ? store.findByRef(principal, ref.ref) : store.findByAddress(principal, at))
  const underWay = deliveries.of(principal)
  let found = await find()
  if (own && !found.record) {
    found = (await findRotated(call, principal, own)) ?? found
    at = found.record?.address ?? at
  }
  if (found.record && underWay.length > 0 && (await waitForDeliveries(underWay, found.record.address)))
    found = await find()
  if (call.isShared && request.have === undefined)
    found = await deliveredElsewhere(call, principal, found, find)
  if (ref && !found.record) return unknownSession(ref.text, 'logical_session_ref')
  let intended = own && at
  if (ref && found.record && intent !== undefined) {
    // Beside a ref, the intent is compared in the scope that the session was opened in.
    const addresses = addressesIn(found.record.scope)
    const { address } = found.record
    intended = (await leadsTo(call, addresses, address)) ? address : addresses[0]
  }
  const from = forkOf && (await store.findByRef(principalKeyOfRef(caller, forkOf.ref), forkOf.ref))
  if (from && !from.record) return unknownSession(forkOf.text, 'fork_of')
  if ([found.record, from?.record].some((record) => record && isNewer(record)))
    return failed([engineProblem('session_newer', {})])
  const { record, ordinal, delivered, now, lost } = found
  const parent = from?.record ?? undefined
  return ok({
    record,
    ordinal,
    delivered,
    now,
    lost,
    intended,
    parent,
    parentOrdinal: from?.ordinal ?? null,
    parentLost: from?.lost ?? 0,
    ref: ref?.text,
  })
}

/** The addresses of the session of this intent, or of these seeds without an intent: one for each secret. */
function addressesOf(
  { secrets, models, caller }: EngineCall,
  { intent, picks }: ContextRequest,
  scope: readonly string[],
): Addresses {
  if (intent !== undefined) return models.addressesOf(secrets, scope, intent)
  const key = { teachingVersion: TEACHING_VERSION, delegated: caller.delegated ?? null, picks }
  return addressesBy(secrets, (secret) => addressOfPicks(secret, scope, key))
}

function unknownSession(ref: string, path: string): Result<never> {
  return failed([unknownSessionProblem(ref, path)])
}

function unknownSessionProblem(ref: string, path: string): Problem {
  return engineProblem('unknown_session', { ref }, { path })
}

/** The request as the decision takes it; refuses an intent beside the ref of another session. */
export function readOpening(
  caller: Caller,
  request: ContextRequest,
  { record, parent, parentLost, intended }: FoundSession,
): Result<Opening> {
  if (record && intended !== undefined && record.address !== intended) {
    return failed([engineProblem('intent_names_another_session', { ref: request.ref?.text ?? '' })])
  }
  const address = record?.address ?? intended
  if (address === undefined) throw new Error('a context request has neither a record nor an address')
  const intent = request.intent ?? record?.intent
  return ok({
    address,
    scope: record?.scope ?? caller.tenantScope,
    ...(intent !== undefined && { intent }),
    delegated: caller.delegated ?? null,
    picks: request.picks,
    ...(parent && { parent, parentLost }),
    ...(request.have !== undefined && { have: request.have }),
  })
}

/** Why the opening cannot proceed with the record that is at its address now. */
export function whyNotOpen(
  record: SessionRecord | null,
  { parent, picks }: Opening,
  { ref }: Pick<FoundSession, 'ref'>,
): Problem | undefined {
  if (record && isNewer(record)) return engineProblem('session_newer', {})
  if (record && parent && record.parent?.address !== parent.address)
    return engineProblem('fork_elsewhere', {}, { path: 'fork_of' })
  if (record) return undefined
  // It was closed meanwhile, and its ref with it.
  if (ref !== undefined) return unknownSessionProblem(ref, 'logical_session_ref')
  return parent || picks.length > 0 ? undefined : engineProblem('missing_seeds', {}, { path: 'seeds' })
}
