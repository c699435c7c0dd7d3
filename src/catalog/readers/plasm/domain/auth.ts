import { problem } from '../../../problems.ts'
import type { Auth, SecretReference } from '../../../auth/auth.ts'
import { Section } from '../../document/section.ts'
import { rule } from '../problems.ts'

const SECRET_KEYS = ['env', 'hosted_kv']
const CLIENT_KEYS = [
  'token_url', 'client_id_env', 'client_id_hosted_kv', 'client_secret_env', 'client_secret_hosted_kv', 'scopes',
] // prettier-ignore
const KEYS = {
  none: [],
  api_key_header: ['header', ...SECRET_KEYS],
  api_key_query: ['param', ...SECRET_KEYS],
  api_key_cookie: ['cookie', ...SECRET_KEYS],
  api_key_path: SECRET_KEYS,
  bearer_token: ['optional_env', ...SECRET_KEYS],
  oauth_bearer: ['optional_env', ...SECRET_KEYS],
  basic: ['username_env', 'password_env'],
  oauth2_client_credentials: CLIENT_KEYS,
  oauth2_refresh_token: ['refresh_token_env', ...CLIENT_KEYS],
  oauth2_authorization_code: ['authorization_url', ...CLIENT_KEYS],
  aws_sigv4: ['access_key_id_env', 'secret_access_key_env', 'session_token_env', 'region', 'service'],
} as const
type Scheme = keyof typeof KEYS
const SCHEMES: readonly Scheme[] = [
  'none', 'api_key_header', 'api_key_query', 'api_key_cookie', 'api_key_path', 'bearer_token', 'oauth_bearer', 'basic',
  'oauth2_client_credentials', 'oauth2_refresh_token', 'oauth2_authorization_code', 'aws_sigv4',
] // prettier-ignore
const API_KEYS = {
  api_key_header: { in: 'header', key: 'header' },
  api_key_query: { in: 'query', key: 'param' },
  api_key_cookie: { in: 'cookie', key: 'cookie' },
} as const

/**
 * Reads `auth`. Catalogs reference secrets and never contain them: `env: NAME`. Keys of a host's own store are not
 * supported.
 *
 * @param id the catalog's: a login is kept under it
 */
export function readAuth(catalog: Section, id: string, unsupported: Set<string>): Auth {
  const none: Auth = { scheme: 'none' }
  const tree = catalog.get('auth')
  const any = Object.values(KEYS).flat()
  const read = tree && Section.of(tree, 'auth', ['scheme', 'origins', ...any], catalog.notes)
  const scheme = read?.need('scheme') && read.choice('scheme', SCHEMES)
  if (!read || scheme === undefined) return none
  const secretOf = (prefix: string) => secret(read, prefix, unsupported)
  const optionalSecret = (prefix: string) => (read.has(`${prefix}env`) ? secretOf(prefix) : undefined)
  switch (scheme) {
    case 'none':
      return none
    case 'api_key_header':
    case 'api_key_query':
    case 'api_key_cookie': {
      const place = API_KEYS[scheme]
      return { scheme: 'api_key', in: place.in, name: read.needText(place.key) ?? '', secret: secretOf('') }
    }
    case 'api_key_path':
      return { scheme, secret: secretOf('') }
    case 'bearer_token':
    case 'oauth_bearer':
      return { scheme: 'bearer', secret: secretOf(''), optional: isOptional(read) }
    case 'basic':
      return { scheme, username: secretOf('username_'), password: secretOf('password_') }
    case 'oauth2_client_credentials':
      return {
        scheme: 'client_credentials',
        ...client(read, secretOf),
        clientSecret: secretOf('client_secret_'),
      }
    case 'oauth2_refresh_token':
    case 'oauth2_authorization_code': {
      const clientSecret = optionalSecret('client_secret_')
      const common = { ...client(read, secretOf), ...(clientSecret !== undefined && { clientSecret }) }
      return scheme === 'oauth2_refresh_token'
        ? { scheme: 'refresh_token', ...common, refreshToken: secretOf('refresh_token_') }
        : {
            scheme: 'authorization_code',
            ...common,
            authorizationUrl: url(read, 'authorization_url'),
            login: `login:${id}`,
          }
    }
    case 'aws_sigv4': {
      const sessionToken = optionalSecret('session_token_')
      return {
        scheme,
        accessKeyId: secretOf('access_key_id_'),
        secretAccessKey: secretOf('secret_access_key_'),
        ...(sessionToken !== undefined && { sessionToken }),
        region: read.needText('region') ?? '',
        service: read.needText('service') ?? '',
      }
    }
  }
}

function client(read: Section, secretOf: (prefix: string) => SecretReference) {
  return { tokenUrl: url(read, 'token_url'), clientId: secretOf('client_id_'), scopes: read.texts('scopes') }
}

function url(read: Section, key: string): string {
  const text = read.needText(key)?.trim() ?? ''
  const good = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (text !== '' && !good) {
    read.notes.error(problem('bad_url', { where: read.path(key), value: text.slice(0, 200) }, read.at(key)))
  }
  return text
}

function isOptional(read: Section): boolean {
  const tree = read.get('optional_env')
  return tree?.kind === 'scalar' && typeof tree.value === 'string' ? true : read.flag('optional_env')
}

function secret(read: Section, prefix: string, unsupported: Set<string>): SecretReference {
  const optional = read.get('optional_env')
  const named = optional?.kind === 'scalar' && typeof optional.value === 'string' ? optional.value : undefined
  const env = read.text(`${prefix}env`) ?? named
  if (env !== undefined && env.trim() !== '') return `env:${env.trim()}`
  if (read.has(`${prefix}hosted_kv`)) unsupported.add('hosted_credentials')
  else read.broken(rule('secret_unnamed', { key: `${prefix}env` }))
  return 'env:'
}

/** Our extension `origins`: other origins of the catalog's templates that receive the credentials. */
export function readAuthOrigins(catalog: Section, called: readonly string[]): readonly string[] {
  const tree = catalog.get('auth')
  const items = tree?.kind === 'map' ? tree.entries.get('origins')?.tree : undefined
  if (items && items.kind !== 'list') catalog.wrong('auth.origins', items, 'a list')
  return (items?.kind === 'list' ? items.items : []).flatMap((item) => {
    const text = item.kind === 'scalar' ? String(item.value) : ''
    const origin = URL.canParse(text) ? new URL(text).origin : text
    if (called.includes(origin)) return [origin]
    catalog.notes.error(problem('origin_without_calls', { origin: origin.slice(0, 200) }, item.at))
    return []
  })
}
