import { resolve } from 'node:path'
import { z } from 'zod'
import { parseOrigin } from '../catalog/origin.ts'

/** An issuer of tokens. `from` of a policy names issuers beside these words. */
const jwtIssuer = z
  .strictObject({
    issuer: z
      .string()
      .min(1)
      .max(512)
      .refine((name) => !['local', 'anonymous', 'keys'].includes(name), 'is a word of ours'),
    /** What its tokens are meant for; default: `/mcp` of `public_url`. */
    audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
    /** Its public keys: an `https:` URL (`http:` on loopback), or `file:PATH`. */
    jwks: z
      .string()
      .refine(isKeySource, 'must be an https: URL, an http: one on loopback, or file:PATH')
      .optional(),
    /** The secret that it shares with us, for HS256: `env:NAME` or `file:PATH`. */
    secret: z
      .string()
      .regex(/^(?:env|file):./, 'must be env:NAME or file:PATH')
      .optional(),
    /** Scopes that its tokens must carry. */
    scopes: z.array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/)).default([]),
    /** How far its clock may be off. */
    clock_tolerance_s: z.int().min(0).max(300).default(30),
  })
  .refine(
    ({ jwks, secret }) => (jwks === undefined) !== (secret === undefined),
    'needs either jwks or secret',
  )

/** The keys of an issuer's settings. */
export const ISSUER_KEYS: readonly string[] = Object.keys(jwtIssuer.shape)

/** Settings that say how it is told who is calling, and what is theirs. */
export const accessSettings = {
  /** Default: the store where nodes share it, else `keys` in the data directory. */
  keys_dir: z.string().min(1).optional(),
  /** Whose tokens are taken. */
  jwt: z.array(jwtIssuer).default([]),
  /** A YAML or JSON file that says who may do what, read again when it changes; or `store`: the one that nodes share. */
  policy: z.string().min(1).optional(),
  /** Whether a session belongs to a principal, or to all of its tenant. */
  session_scope: z.enum(['principal', 'tenant']).default('principal'),
  /** `long`: sessions are called by refs that nobody can guess, not by `s0`, `s1`, … */
  refs: z.enum(['short', 'long']).default('short'),
  /** `delegated`: the verified principal is part of what a session is reused by. */
  auth_resolution: z.enum(['server', 'delegated']).default('server'),
  /** Where clients reach this server: what tokens are meant for. */
  public_url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => parseOrigin(url) === new URL(url).origin, 'must be an origin without a path')
    .optional(),
}

const accessSchema = z.object(accessSettings)
type AccessSettings = z.output<typeof accessSchema> & { readonly host: string }

/** How it is told who is calling. */
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
  /** A file, or the one of the store. */
  readonly policy?: string | { readonly isShared: true }
  readonly sessionScope: 'principal' | 'tenant'
  readonly refs: 'short' | 'long'
  readonly delegated: boolean
  /** Without a path. */
  readonly publicUrl?: string
}

/** The settings as the rest takes them. `data` was checked for conflicts. */
export function accessOf(data: AccessSettings, cwd: string): AccessConfig {
  const publicUrl = data.public_url === undefined ? undefined : new URL(data.public_url).origin
  return {
    isLoopback: isLoopback(data.host),
    ...(data.keys_dir === undefined ? {} : { keysDir: resolve(cwd, data.keys_dir) }),
    jwt: data.jwt.map(
      ({ issuer, audience = `${publicUrl}/mcp`, jwks, secret, scopes, clock_tolerance_s }) => ({
        issuer,
        audience: typeof audience === 'string' ? [audience] : audience,
        source: jwks === undefined ? { secret: secret ?? '' } : keySourceOf(jwks, cwd),
        scopes,
        toleranceSeconds: clock_tolerance_s,
      }),
    ),
    ...(data.policy === undefined ? {} : { policy: policyOf(data.policy, cwd) }),
    sessionScope: data.session_scope,
    refs: data.refs,
    delegated: data.auth_resolution === 'delegated',
    ...(publicUrl === undefined ? {} : { publicUrl }),
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

/** Does the address reach this machine alone? */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
