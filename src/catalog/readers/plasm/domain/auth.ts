import { problem } from '../../../problems.ts'
import type { Auth, SecretReference } from '../../../model.ts'
import { Section } from '../../document/section.ts'
import { rule } from '../problems.ts'

const SCHEMES = [
  'none', 'api_key_header', 'api_key_query', 'bearer_token', 'oauth_bearer', 'oauth2_client_credentials',
] as const // prettier-ignore
const SECRET_KEYS = ['env', 'hosted_kv']
const KEYS: Readonly<Record<(typeof SCHEMES)[number], readonly string[]>> = {
  none: [],
  api_key_header: ['header', ...SECRET_KEYS],
  api_key_query: ['param', ...SECRET_KEYS],
  bearer_token: ['optional_env', ...SECRET_KEYS],
  oauth_bearer: ['optional_env', ...SECRET_KEYS],
  oauth2_client_credentials: [
    'token_url', 'client_id_env', 'client_id_hosted_kv', 'client_secret_env', 'client_secret_hosted_kv', 'scopes',
  ], // prettier-ignore
}

/**
 * Reads `auth`. Catalogs reference secrets and never contain them: `env: NAME`. Keys of a host's own store are not
 * supported.
 */
export function readAuth(catalog: Section, unsupported: Set<string>): Auth {
  const none: Auth = { scheme: 'none' }
  const tree = catalog.get('auth')
  const any = Object.values(KEYS).flat()
  const read = tree && Section.of(tree, 'auth', ['scheme', 'origins', ...any], catalog.notes)
  const scheme = read?.need('scheme') && read.choice('scheme', SCHEMES)
  if (!read || scheme === undefined) return none
  switch (scheme) {
    case 'none':
      return none
    case 'api_key_header':
      return {
        scheme: 'api_key',
        in: 'header',
        name: read.needText('header') ?? '',
        secret: secret(read, '', unsupported),
      }
    case 'api_key_query':
      return {
        scheme: 'api_key',
        in: 'query',
        name: read.needText('param') ?? '',
        secret: secret(read, '', unsupported),
      }
    case 'bearer_token':
    case 'oauth_bearer':
      return { scheme: 'bearer', secret: secret(read, '', unsupported), optional: isOptional(read) }
    case 'oauth2_client_credentials':
      return {
        scheme: 'client_credentials',
        tokenUrl: tokenUrl(read),
        clientId: secret(read, 'client_id_', unsupported),
        clientSecret: secret(read, 'client_secret_', unsupported),
        scopes: read.texts('scopes'),
      }
  }
}

function tokenUrl(read: Section): string {
  const text = read.needText('token_url')?.trim() ?? ''
  const good = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (text !== '' && !good) {
    read.notes.error(
      problem('bad_url', { where: read.path('token_url'), value: text.slice(0, 200) }, read.at('token_url')),
    )
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
