import type { Caller } from '../../access/caller.ts'
import { canonicalJson } from '../../base/canonical.ts'
import { once } from '../../base/once.ts'
import { longRef, type Ref, shortRef } from '../../session/identity.ts'
import { bearerKey, type PrincipalKey } from '../../session/store.ts'

/**
 * The namespace in which a caller's refs are looked up: the caller's own. An anonymous caller has one for each session, so
 * that only the long ref finds the session and `s0` finds none.
 */
export function principalKey(caller: Caller, address?: string): PrincipalKey {
  if (caller.isAnonymous && address !== undefined) return bearerKey(address)
  return keyOf(caller.principal)
}

/** Once for each caller object: most of them call more than once. */
const keyOf = once((principal: Caller['principal']): PrincipalKey => canonicalJson(principal))

/** The same for a ref that the caller gave: where refs are long, `s0` is looked up in a namespace without names. */
export function principalKeyOfRef(caller: Caller, ref: Ref): PrincipalKey {
  if ('address' in ref) return principalKey(caller, ref.address)
  return caller.hasLongRefs ? NO_NAMES : principalKey(caller)
}

const NO_NAMES = bearerKey('')

/** The ref of the session in answers: the caller's short name for it, or the long form where short names do not work. */
export function refFor(caller: Caller, ordinal: number, address: string): string {
  return caller.isAnonymous || caller.hasLongRefs ? longRef(address) : shortRef(ordinal)
}
