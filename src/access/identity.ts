/** The identity that a credential proves, before any policy. */
export type Identity =
  | { readonly from: 'local' }
  /** Not authenticated: each request gets a random name. */
  | { readonly from: 'anonymous'; readonly name: string }
  | { readonly from: 'key'; readonly tenant?: string; readonly subject: string }
  | { readonly from: 'jwt'; readonly issuer: string; readonly tenant?: string; readonly subject: string }

/** The longest tenant or subject, in UTF-16 code units. */
const LONGEST_NAME = 512

/**
 * May the text name a tenant or a subject? Not an empty one: it says nothing. Not one with a lone surrogate: it has no
 * UTF-8, so that several such names would be one. Names are compared as they are, without case folding or normalisation.
 */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME && value.isWellFormed()
}

/**
 * The principal as a tagged tuple: its first element says what the others are, the tag before a tenant or a subject says
 * which of them follows. Equal names from different sources, and a missing tenant and any tenant, are different tuples.
 */
export function principalOf(identity: Identity): readonly string[] {
  switch (identity.from) {
    case 'local':
    case 'anonymous':
      return [identity.from]
    case 'key':
    case 'jwt':
      return [...sourceOf(identity), ...tenantPart(identity.tenant), 'subject', identity.subject]
  }
}

/**
 * The scope of intents: the principal, or its tenant if sessions are shared. A caller without a tenant shares with no
 * other caller.
 */
export function tenantScopeOf(identity: Identity, share: 'principal' | 'tenant'): readonly string[] {
  if (identity.from === 'anonymous') return ['anonymous', identity.name]
  if (identity.from === 'local' || share === 'principal' || identity.tenant === undefined)
    return principalOf(identity)
  return ['shared', ...sourceOf(identity), ...tenantPart(identity.tenant)]
}

function sourceOf(identity: Extract<Identity, { readonly subject: string }>): readonly string[] {
  return identity.from === 'jwt' ? ['jwt', identity.issuer] : ['key']
}

function tenantPart(tenant: string | undefined): readonly string[] {
  return tenant === undefined ? [] : ['tenant', tenant]
}
