import { resolve } from 'node:path'
import { z } from 'zod'
import type { SecretOwner } from '../access/own-secrets.ts'
import { parseOrigin } from '../catalog/origin.ts'
import { yamlListOf } from './from-text.ts'
import { settingInfo } from './setting-info.ts'

/** An issuer of tokens. A policy's `from` may also be one of the reserved words that an issuer's name must not be. */
const jwtIssuer = z
  .strictObject({
    issuer: z
      .string()
      .min(1)
      .max(512)
      .refine((name) => !['local', 'anonymous', 'keys'].includes(name), 'is reserved'),
    /** The audience of its tokens; default: `/mcp` of `public_url`. */
    audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
    /** Its public keys: an `https:` URL (`http:` on loopback), or `file:PATH`. */
    jwks: z
      .string()
      .refine(isKeySource, 'must be an https: URL, an http: one on loopback, or file:PATH')
      .optional(),
    /** The shared secret for HS256: `env:NAME` or `file:PATH`. */
    secret: z
      .string()
      .regex(/^(?:env|file):./, 'must be env:NAME or file:PATH')
      .optional(),
    /** Scopes that its tokens must carry. */
    scopes: z.array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/)).default([]),
    /** Tolerated clock difference. */
    clock_tolerance_s: z.int().min(0).max(300).default(30),
  })
  .refine(
    ({ jwks, secret }) => (jwks === undefined) !== (secret === undefined),
    'needs either jwks or secret',
  )

/** A reference to a secret that a catalog may name, or to a login. */
const ownedReference = z.string().regex(/^(?:env|file|login):./, 'must be env:NAME, file:PATH or login:NAME')

/** The keys of an issuer's settings. */
export const ISSUER_KEYS: readonly string[] = Object.keys(jwtIssuer.shape)

/** Callers whose calls use secrets of their own. A login is one of the data directory: `login:NAME`. */
const secretOwner = z
  .strictObject({
    from: z.string().min(1).max(512),
    tenant: z.string().min(1).max(512).optional(),
    subject: z.string().min(1).max(512).optional(),
    secrets: z.record(ownedReference, ownedReference),
  })
  .refine(
    ({ from, tenant, subject }) => from !== 'local' || (tenant ?? subject) === undefined,
    'the local user has no tenant and no subject',
  )
  .refine(({ from }) => from !== 'anonymous', 'anonymous callers cannot be told apart')

/** The keys of such callers. */
export const OWNER_KEYS: readonly string[] = Object.keys(secretOwner.shape)

/** Settings of authentication and isolation. */
export const accessSettings = {
  keys_dir: z.string().min(1).optional().register(settingInfo, {
    about: 'the folder of API keys',
    byDefault: 'the store if it is Redis, else `keys` in the data directory',
  }),
  jwt: yamlListOf(jwtIssuer)
    .default([])
    .register(settingInfo, { about: 'issuers of tokens', more: 'in the environment as YAML or JSON' }),
  policy: z.string().min(1).optional().register(settingInfo, {
    about:
      'a YAML or JSON file that grants rights, read again when it changes; or store: the policy that nodes share',
  }),
  own_secrets: yamlListOf(secretOwner).default([]).register(settingInfo, {
    about: 'callers and tenants whose calls use secrets of their own',
    more: 'see [credentials of callers](security.md#credentials-of-callers); in the environment as YAML or JSON',
  }),
  session_scope: z.enum(['principal', 'tenant']).default('principal').register(settingInfo, {
    about: 'whether a session belongs to a principal or to a whole tenant',
  }),
  refs: z.enum(['short', 'long']).default('short').register(settingInfo, {
    about: 'short refs (s0, s1, …), or long ones that other agents of the same caller cannot guess',
  }),
  auth_resolution: z.enum(['server', 'delegated']).default('server').register(settingInfo, {
    about: 'delegated: the verified principal is part of the key that finds a session again',
  }),
  public_url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => parseOrigin(url) === new URL(url).origin, 'must be an origin without a path')
    .optional()
    .register(settingInfo, {
      about: 'the origin at which clients reach this server: the audience of tokens',
    }),
}

const accessSchema = z.object(accessSettings)
type AccessSettings = z.output<typeof accessSchema> & { readonly host: string }

/** The settings of authentication and isolation, with absolute paths. */
export interface AccessConfig {
  /** Only this machine reaches the server. */
  readonly isLoopback: boolean
  readonly keysDir?: string
  readonly jwt: readonly {
    readonly issuer: string
    readonly audience: readonly string[]
    readonly source: { readonly url: URL } | { readonly file: string } | { readonly secret: string }
    readonly scopes: readonly string[]
    readonly toleranceSeconds: number
  }[]
  /** Whose calls use which secrets in place of those that catalogs name. */
  readonly ownSecrets: readonly SecretOwner[]
  /** A file, or the policy in the store. */
  readonly policy?: string | { readonly isShared: true }
  readonly sessionScope: 'principal' | 'tenant'
  readonly refs: 'short' | 'long'
  readonly delegated: boolean
  /** Without a path. */
  readonly publicUrl?: string
}

/** Converts the settings; `data` has no conflicts. */
export function accessOf(data: AccessSettings, cwd: string): AccessConfig {
  const publicUrl = data.public_url === undefined ? undefined : new URL(data.public_url).origin
  return {
    isLoopback: isLoopback(data.host),
    ...(data.keys_dir !== undefined && { keysDir: resolve(cwd, data.keys_dir) }),
    jwt: data.jwt.map(
      ({ issuer, audience = `${publicUrl}/mcp`, jwks, secret, scopes, clock_tolerance_s }) => ({
        issuer,
        audience: typeof audience === 'string' ? [audience] : audience,
        source: jwks === undefined ? { secret: secret ?? '' } : keySourceOf(jwks, cwd),
        scopes,
        toleranceSeconds: clock_tolerance_s,
      }),
    ),
    ...(data.policy !== undefined && { policy: policyOf(data.policy, cwd) }),
    ownSecrets: data.own_secrets.map(ownerOf),
    sessionScope: data.session_scope,
    refs: data.refs,
    delegated: data.auth_resolution === 'delegated',
    ...(publicUrl !== undefined && { publicUrl }),
  }
}

function ownerOf({ from, tenant, subject, secrets }: z.output<typeof secretOwner>): SecretOwner {
  return {
    from,
    ...(tenant !== undefined && { tenant }),
    ...(subject !== undefined && { subject }),
    secrets,
  }
}

function policyOf(policy: string, cwd: string): AccessConfig['policy'] & {} {
  return policy === 'store' ? { isShared: true } : resolve(cwd, policy)
}

function isKeySource(text: string): boolean {
  if (text.startsWith('file:')) return text.length > 5
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  return (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) && !username && !password
}

function keySourceOf(text: string, cwd: string): { readonly url: URL } | { readonly file: string } {
  return text.startsWith('file:') ? { file: resolve(cwd, text.slice(5)) } : { url: new URL(text) }
}

/** Whether the address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
