import { canonicalJson } from '../base/canonical.ts'
import { type Identity, principalOf, tenantScopeOf } from './identity.ts'
import { EVERYTHING, type EffectPolicy, type Rights } from './policy.ts'
import type { Surface } from './surface.ts'
import type { TrustLevel } from './trust.ts'

/** The authenticated caller. Never derived from a transport, a client's name or an argument. */
export interface Caller {
  /** Source, tenant and subject as a tagged tuple: the owner of the short refs `s0`, `s1`, … */
  readonly principal: readonly string[]
  /** The scope of intents, as a tagged tuple: the principal, or its tenant if sessions are shared. */
  readonly tenantScope: readonly string[]
  /** The verified principal, where `auth_resolution` is `delegated`: part of the reuse key. */
  readonly delegated?: string
  /** Not authenticated: only the long ref of a session, which cannot be guessed, continues it. */
  readonly isAnonymous?: true
  /** Only long refs are used: a caller who knows one cannot guess another. */
  readonly hasLongRefs?: true
  /** May the caller see the catalog at all? As of now: the answer may change from call to call. */
  readonly mayUseCatalog: (catalog: string) => boolean
  /** May the caller use this capability of it? */
  readonly mayUseCapability: (catalog: string, capability: string) => boolean
  /** No verifier checks this caller at each call: the engine refreshes it before each one. */
  readonly isLongLived?: true
  /**
   * Loads the operator's latest changes for the questions above; false where the caller's credential does not hold any more:
   * then it may use nothing. Rejects if the changes cannot be loaded.
   */
  readonly refresh?: () => Promise<boolean>
  /** What the caller's credential may be used for; absent: everything. */
  readonly surfaces?: readonly Surface[]
  /** May the caller see figures of the whole server? As of now. */
  readonly isOperator?: () => boolean
  /** The most trust that the caller's calls have; undefined or absent: no limit. */
  readonly trust?: () => TrustLevel | undefined
  /** The policy for the caller's changes by this capability; undefined or absent: the deployment's. */
  readonly effectPolicy?: (catalog: string, capability: string) => EffectPolicy | undefined
}

/** How identities become callers: the operator's choice. */
export interface Resolution {
  readonly sessionScope: 'principal' | 'tenant'
  /** `long`: the agents of one principal cannot guess each other's refs. */
  readonly refs: 'short' | 'long'
  /** Puts the verified principal into the reuse key of every session. */
  readonly delegated: boolean
  /** No request needs a credential: every caller is an operator. */
  readonly isOpen?: boolean
}

export const DEFAULT_RESOLUTION: Resolution = { sessionScope: 'principal', refs: 'short', delegated: false }

/** The caller of an identity. `rights` is read at each question, so that a revoked right is gone at once. */
export function callerOf(
  identity: Identity,
  { sessionScope, refs, delegated, isOpen }: Resolution,
  rights: () => Rights,
  refresh?: () => Promise<boolean>,
): Caller {
  const principal = principalOf(identity)
  return {
    principal,
    tenantScope: tenantScopeOf(identity, sessionScope),
    ...(delegated && { delegated: canonicalJson(principal) }),
    ...(identity.from === 'anonymous' && { isAnonymous: true }),
    ...(refs === 'long' && { hasLongRefs: true }),
    mayUseCatalog: (catalog) => rights().mayUseCatalog(catalog),
    mayUseCapability: (catalog, capability) => rights().mayUseCapability(catalog, capability),
    isOperator: () => rights().isOperator ?? (identity.from === 'local' || isOpen === true),
    trust: () => rights().trust,
    effectPolicy: (catalog, capability) => rights().effectPolicy(catalog, capability),
    ...(refresh && { refresh }),
  }
}

/** The user of a server on stdio, or on loopback with the local token, if no policy says otherwise. */
export const LOCAL_USER: Caller = callerOf({ from: 'local' }, DEFAULT_RESOLUTION, () => EVERYTHING)

/** May the caller's credential be used for this? */
export function mayUse({ surfaces }: Pick<Caller, 'surfaces'>, surface: Surface): boolean {
  return surfaces?.includes(surface) ?? true
}

/** Is it the user of this machine: over stdio, or with the token of the data directory? */
export function isLocal({ principal }: Caller): boolean {
  return principal[0] === 'local'
}

/** The caller's rights as visibility: what the caller may not use does not exist for it. */
export function visibilityOf(caller: Caller) {
  return {
    allows: (catalog: string, capability: string) =>
      caller.mayUseCatalog(catalog) && caller.mayUseCapability(catalog, capability),
    hides: (catalog: string) => !caller.mayUseCatalog(catalog),
  }
}
