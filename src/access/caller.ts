/** Who is calling, as far as it was proved: never taken from a transport, a client's name or an argument. */
export interface Caller {
  /** Issuer, tenant and subject as a tagged tuple: whose names `s0`, `s1`, … are. */
  readonly principal: readonly string[]
  /** The tagged tuple that intents are told apart by: the principal, or its tenant where sessions are shared. */
  readonly tenantScope: readonly string[]
  /** The verified principal, where `auth_resolution` is `delegated`: part of the reuse key. */
  readonly delegated?: string
  /** May the caller see the catalog at all? */
  readonly mayUseCatalog: (catalog: string) => boolean
  /** May the caller use this capability of it? */
  readonly mayUseCapability: (catalog: string, capability: string) => boolean
}

/** The one person of a server on stdio, or on loopback with the local token. */
export const LOCAL_USER: Caller = {
  principal: ['local'],
  tenantScope: ['local'],
  mayUseCatalog: () => true,
  mayUseCapability: () => true,
}
