/**
 * A reference to a secret, never the secret itself: `env:NAME`, `file:PATH`, or `login:NAME` for what `plasmid auth login`
 * keeps in the data directory.
 */
export type SecretReference = string

/** How calls to an API prove who calls. Catalogs and configuration hold references only. */
export type Auth =
  | { readonly scheme: 'none' }
  | {
      readonly scheme: 'api_key'
      readonly in: 'header' | 'query' | 'cookie'
      readonly name: string
      readonly secret: SecretReference
    }
  /** The secret is a segment of the path, behind the base path of the address: as in the addresses of nodes of a chain. */
  | { readonly scheme: 'api_key_path'; readonly secret: SecretReference }
  /** `optional`: without the secret, calls are sent without a credential. */
  | { readonly scheme: 'bearer'; readonly secret: SecretReference; readonly optional: boolean }
  | { readonly scheme: 'basic'; readonly username: SecretReference; readonly password: SecretReference }
  | OAuth
  /** AWS Signature Version 4. */
  | {
      readonly scheme: 'aws_sigv4'
      readonly accessKeyId: SecretReference
      readonly secretAccessKey: SecretReference
      readonly sessionToken?: SecretReference
      readonly region: string
      readonly service: string
    }

/** OAuth 2: the grants by which access tokens are fetched and renewed. */
export type OAuth = ClientCredentials | RefreshToken | AuthorizationCode

interface OAuthClient {
  readonly tokenUrl: string
  readonly clientId: SecretReference
  readonly scopes: readonly string[]
}

interface ClientCredentials extends OAuthClient {
  readonly scheme: 'client_credentials'
  readonly clientSecret: SecretReference
}

/** A refresh token that the operator holds. */
interface RefreshToken extends OAuthClient {
  readonly scheme: 'refresh_token'
  /** Absent for public clients. */
  readonly clientSecret?: SecretReference
  readonly refreshToken: SecretReference
}

/** A person signs in once, with `plasmid auth login`. */
export interface AuthorizationCode extends OAuthClient {
  readonly scheme: 'authorization_code'
  readonly clientSecret?: SecretReference
  /** Where the person signs in. */
  readonly authorizationUrl: string
  /** What the login is kept as: `login:NAME`. */
  readonly login: SecretReference
}

/** The secrets that calls need and that an operator sets: those of an optional scheme and a login are not among them. */
export function secretsOf(auth: Auth): readonly SecretReference[] {
  switch (auth.scheme) {
    case 'none':
      return []
    case 'api_key':
    case 'api_key_path':
      return [auth.secret]
    case 'bearer':
      return auth.optional ? [] : [auth.secret]
    case 'basic':
      return [auth.username, auth.password]
    case 'client_credentials':
      return [auth.clientId, auth.clientSecret]
    case 'refresh_token':
      return [auth.clientId, ...given(auth.clientSecret), auth.refreshToken]
    case 'authorization_code':
      return [auth.clientId, ...given(auth.clientSecret)]
    case 'aws_sigv4':
      return [auth.accessKeyId, auth.secretAccessKey, ...given(auth.sessionToken)]
  }
}

/** Every reference of the scheme, those of optional secrets and logins included. */
export function referencesOf(auth: Auth): readonly SecretReference[] {
  if (auth.scheme === 'bearer') return [auth.secret]
  return [...secretsOf(auth), ...(auth.scheme === 'authorization_code' ? [auth.login] : [])]
}

function given(reference: SecretReference | undefined): readonly SecretReference[] {
  return reference === undefined ? [] : [reference]
}
