import type { Caller } from '../../access/caller.ts'
import { canonicalJson } from '../../base/canonical.ts'
import { longRef, type Ref, shortRef } from '../../session/identity.ts'
import { bearerKey, type PrincipalKey } from '../../session/store.ts'

/**
 * Whose names a session is looked up among: the caller's; for a caller whom nothing proves, the session's own, so that
 * its long ref alone leads to it and `s0` to none.
 */
export function principalKey(caller: Caller, address?: string): PrincipalKey {
  if (caller.isAnonymous && address !== undefined) return bearerKey(address)
  let key = keys.get(caller.principal)
  if (key === undefined) keys.set(caller.principal, (key = canonicalJson(caller.principal)))
  return key
}

/** Most callers call more than once. */
const keys = new WeakMap<Caller['principal'], PrincipalKey>()

/** The same for a ref that the caller gave: where refs are long, `s0` is looked up among nobody's. */
export function principalKeyOfRef(caller: Caller, ref: Ref): PrincipalKey {
  if ('address' in ref) return principalKey(caller, ref.address)
  return caller.hasLongRefs ? NOBODY : principalKey(caller)
}

const NOBODY = bearerKey('')

/** What the caller is told to call the session by: its name, or the long form where a name would lead nowhere. */
export function refFor(caller: Caller, ordinal: number, address: string): string {
  return caller.isAnonymous || caller.hasLongRefs ? longRef(address) : shortRef(ordinal)
}
