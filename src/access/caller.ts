import { canonicalJson } from '../base/canonical.ts'
import { type Identity, principalOf, tenantScopeOf } from './identity.ts'
import { EVERYTHING, type EffectPolicy, type Rights } from './policy.ts'

/** Who is calling, as far as it was proved: never taken from a transport, a client's name or an argument. */
export interface Caller {
  /** Source, tenant and subject as a tagged tuple: whose names `s0`, `s1`, … are. */
  readonly principal: readonly string[]
  /** The tagged tuple that intents are told apart by: the principal, or its tenant where sessions are shared. */
  readonly tenantScope: readonly string[]
  /** The verified principal, where `auth_resolution` is `delegated`: part of the reuse key. */
  readonly delegated?: string
  /** Nobody was proved: only the long ref of a session, which nobody can guess, continues it. */
  readonly isAnonymous?: true
  /** Sessions are called by their long refs alone: who knows one cannot guess another. */
  readonly hasLongRefs?: true
  /** May the caller see the catalog at all? As of now: the answer may change from call to call. */
  readonly mayUseCatalog: (catalog: string) => boolean
  /** May the caller use this capability of it? */
  readonly mayUseCapability: (catalog: string, capability: string) => boolean
  /** No verifier checks this caller at each call: the engine refreshes it before each one. */
  readonly isLongLived?: true
  /** Takes over what the operator changed: the questions above are answered as of then. Rejects where that cannot be known. */
  readonly refresh?: () => Promise<void>
  /** How the caller's changes by this capability are let through; undefined or absent: as the deployment says. */
  readonly effectPolicy?: (catalog: string, capability: string) => EffectPolicy | undefined
}

/** How callers are made from identities: the operator's choice. */
export interface Resolution {
  readonly sessionScope: 'principal' | 'tenant'
  /** `long`: the agents of one principal cannot guess each other's refs. */
  readonly refs: 'short' | 'long'
  /** Puts the verified principal into the reuse key of every session. */
  readonly delegated: boolean
}

export const DEFAULT_RESOLUTION: Resolution = { sessionScope: 'principal', refs: 'short', delegated: false }

/** The caller that an identity is. `rights` is asked at each question, so that a right taken back is gone at once. */
export function callerOf(
  identity: Identity,
  { sessionScope, refs, delegated }: Resolution,
  rights: () => Rights,
  refresh?: () => Promise<void>,
): Caller {
  const principal = principalOf(identity)
  return {
    principal,
    tenantScope: tenantScopeOf(identity, sessionScope),
    ...(delegated ? { delegated: canonicalJson(principal) } : {}),
    ...(identity.from === 'anonymous' ? { isAnonymous: true } : {}),
    ...(refs === 'long' ? { hasLongRefs: true } : {}),
    mayUseCatalog: (catalog) => rights().mayUseCatalog(catalog),
    mayUseCapability: (catalog, capability) => rights().mayUseCapability(catalog, capability),
    effectPolicy: (catalog, capability) => rights().effectPolicy(catalog, capability),
    ...(refresh ? { refresh } : {}),
  }
}

/** The one person of a server on stdio, or on loopback with the local token, where no policy says otherwise. */
export const LOCAL_USER: Caller = callerOf({ from: 'local' }, DEFAULT_RESOLUTION, () => EVERYTHING)

/** Asks for a capability and its catalog at once, and for a catalog alone. What may not be used does not exist. */
export function visibilityOf(caller: Caller) {
  return {
    allows: (catalog: string, capability: string) =>
      caller.mayUseCatalog(catalog) && caller.mayUseCapability(catalog, capability),
    hides: (catalog: string) => !caller.mayUseCatalog(catalog),
  }
}
