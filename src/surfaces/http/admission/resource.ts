/** The metadata of this server as a protected resource (RFC 9728). */
export interface ProtectedResource {
  /** Where clients reach it; where absent, where the request did. */
  readonly origin?: string
  readonly issuers: readonly string[]
  readonly scopes: readonly string[]
}

/** Of `/mcp`, and of the whole server: clients look at either. */
export const METADATA_PATHS = [
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-protected-resource',
] as const

/** The metadata document. */
export function metadataOf({ origin, issuers, scopes }: ProtectedResource, requestUrl: string) {
  return {
    resource: `${origin ?? new URL(requestUrl).origin}/mcp`,
    resource_name: 'Plasmid',
    authorization_servers: issuers,
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
  }
}

/**
 * The `WWW-Authenticate` header of a 401: where to read whose tokens are taken, and that the given credential does not
 * hold (RFC 6750, section 3: no error where none was given).
 */
export function challenge(
  resource: ProtectedResource | undefined,
  requestUrl: string,
  wasGiven: boolean,
): string {
  const parts = ['realm="plasmid"']
  if (resource) {
    parts.push(`resource_metadata="${resource.origin ?? new URL(requestUrl).origin}${METADATA_PATHS[0]}"`)
    if (resource.scopes.length > 0) parts.push(`scope="${resource.scopes.join(' ')}"`)
  }
  if (wasGiven) parts.push('error="invalid_token"')
  return `Bearer ${parts.join(', ')}`
}
