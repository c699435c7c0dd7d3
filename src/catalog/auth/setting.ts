import { z } from 'zod'
import type { Auth } from './auth.ts'

const reference = z
  .string()
  .regex(/^(?:env|file):./, 'must be env:NAME or file:PATH')
  .meta({ description: 'A reference to a secret: env:NAME or file:PATH' })
const address = z.url({ protocol: /^https?$/ })
const client = {
  token_url: address,
  client_id: reference,
  scopes: z.array(z.string().min(1)).default([]),
}

/** The credential of an API as the configuration writes it: the schemes of `Auth`, with references to secrets. */
export const authSetting = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('none') }),
  z.strictObject({ scheme: z.literal('bearer'), secret: reference, optional: z.boolean().default(false) }),
  z.strictObject({ scheme: z.literal('basic'), username: reference, password: reference }),
  z.strictObject({
    scheme: z.literal('api_key'),
    in: z.enum(['header', 'query', 'cookie']),
    name: z.string().min(1),
    secret: reference,
  }),
  z.strictObject({ scheme: z.literal('api_key_path'), secret: reference }),
  z.strictObject({ scheme: z.literal('client_credentials'), ...client, client_secret: reference }),
  z.strictObject({
    scheme: z.literal('refresh_token'),
    ...client,
    client_secret: reference.optional(),
    refresh_token: reference,
  }),
  z.strictObject({
    scheme: z.literal('authorization_code'),
    ...client,
    client_secret: reference.optional(),
    authorization_url: address,
  }),
  z.strictObject({
    scheme: z.literal('aws_sigv4'),
    access_key_id: reference,
    secret_access_key: reference,
    session_token: reference.optional(),
    region: z.string().min(1),
    service: z.string().min(1),
  }),
])

/**
 * The credential that a setting describes.
 *
 * @param id the catalog's: a login is kept under it
 */
export function authOf(setting: z.output<typeof authSetting>, id: string): Auth {
  switch (setting.scheme) {
    case 'none':
    case 'bearer':
    case 'basic':
    case 'api_key':
    case 'api_key_path':
      return setting
    case 'client_credentials':
      return { scheme: setting.scheme, ...clientOf(setting), clientSecret: setting.client_secret }
    case 'refresh_token':
      return {
        scheme: setting.scheme,
        ...clientOf(setting),
        ...(setting.client_secret !== undefined && { clientSecret: setting.client_secret }),
        refreshToken: setting.refresh_token,
      }
    case 'authorization_code':
      return {
        scheme: setting.scheme,
        ...clientOf(setting),
        ...(setting.client_secret !== undefined && { clientSecret: setting.client_secret }),
        authorizationUrl: setting.authorization_url,
        login: `login:${id}`,
      }
    case 'aws_sigv4':
      return {
        scheme: setting.scheme,
        accessKeyId: setting.access_key_id,
        secretAccessKey: setting.secret_access_key,
        ...(setting.session_token !== undefined && { sessionToken: setting.session_token }),
        region: setting.region,
        service: setting.service,
      }
  }
}

function clientOf(setting: {
  readonly token_url: string
  readonly client_id: string
  readonly scopes: readonly string[]
}) {
  return { tokenUrl: setting.token_url, clientId: setting.client_id, scopes: setting.scopes }
}

/** The credential with another secret in place of its one: what `--auth env:NAME` means. Undefined if it has several. */
export function withSecret(auth: Auth, secret: string): Auth | undefined {
  switch (auth.scheme) {
    case 'none':
      return { scheme: 'bearer', secret, optional: false }
    case 'bearer':
    case 'api_key':
    case 'api_key_path':
      return { ...auth, secret }
    default:
      return undefined
  }
}
