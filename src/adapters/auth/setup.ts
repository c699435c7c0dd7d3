import { createSecretKey } from 'node:crypto'
import { type Caller, callerOf, type Resolution } from '../../access/caller.ts'
import type { Identity } from '../../access/identity.ts'
import type { Verifier } from '../../access/verifier.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { keyRing } from './api-keys.ts'
import { credentialVerifier, underPolicy } from './credentials.ts'
import { type FetchDocument, keySetOfFile, keySetOfUrl } from './key-sets.ts'
import { everybody, localToken } from './local-token.ts'
import { noPolicy, policyFile, type PolicySource } from './policy-file.ts'
import { authProblem } from './problems.ts'
import { type Issuer, tokenReader } from './tokens.ts'

/** The operator's choice of how it is told who is calling. Paths are absolute. */
export interface AuthSettings extends Resolution {
  readonly mode: 'off' | 'token' | 'optional' | 'required'
  /** Only this machine reaches the server. */
  readonly isLoopback: boolean
  readonly dataDir: string
  readonly keysDir: string
  readonly jwt: readonly (Pick<Issuer, 'issuer' | 'audience' | 'scopes' | 'toleranceSeconds'> & {
    /** Public keys by URL or file, or the reference of a shared secret. */
    readonly source: { readonly url: URL } | { readonly file: string } | { readonly secret: string }
  })[]
  readonly policy?: string
}

/** What it needs of the world. */
export interface AuthParts {
  readonly clock: Clock
  /** 128 random bits, new at each call. */
  readonly newId: () => string
  /** The secret behind `env:NAME` or `file:PATH`. */
  readonly secretOf: (reference: string) => Promise<string>
  readonly fetchDocument: FetchDocument
}

export interface Auth {
  readonly verifier: Verifier
  /** The person at this machine, whom no credential has to prove. */
  readonly local: Caller
  readonly policy: PolicySource
}

/** Bytes of a shared secret at least: as many as the hash of HS256 has. */
const LEAST_SECRET_BYTES = 32

/**
 * Everything that tells who is calling, or all that is wrong with how it is set up.
 *
 * Gives the problems of policy, token file and key sets, and `nothing_to_verify`.
 */
export async function authOf(settings: AuthSettings, parts: AuthParts): Promise<Result<Auth>> {
  const policy = settings.policy === undefined ? ok(noPolicy) : policyFile(settings.policy, parts.clock)
  if (!policy.ok) return policy
  const rights = policy.value
  const resolved = (identity: Identity) => callerOf(identity, settings, () => rights.rightsOf(identity))
  const local = resolved({ from: 'local' })
  const anonymous = () => resolved({ from: 'anonymous', name: parts.newId() })
  const verifier = await verifierOf(settings, parts, rights, { resolved, local, anonymous })
  return verifier.ok ? ok({ verifier: underPolicy(verifier.value, rights), local, policy: rights }) : verifier
}

interface Callers {
  readonly resolved: (identity: Identity) => Caller
  readonly local: Caller
  readonly anonymous: () => Caller
}

async function verifierOf(
  settings: AuthSettings,
  parts: AuthParts,
  policy: PolicySource,
  { resolved, local, anonymous }: Callers,
): Promise<Result<Verifier>> {
  const { mode, dataDir, keysDir, isLoopback } = settings
  if (mode === 'off') return ok(everybody(isLoopback ? () => local : anonymous))
  if (mode === 'token') return localToken(dataDir, local)
  const keys = keyRing(keysDir, parts.clock)
  const issuers = await issuersOf(settings, parts)
  if (!issuers.ok) return issuers
  if (issuers.value.length === 0) {
    const held = await keys.list()
    if (!held.ok) return held
    if (mode === 'required' && held.value.length === 0)
      return failed([authProblem('nothing_to_verify', { mode, dir: keysDir })])
  }
  return ok(
    credentialVerifier({
      keys,
      tokens: tokenReader(issuers.value, parts.clock),
      policy,
      callerOf: resolved,
      withoutCredential: mode === 'optional' ? anonymous : () => null,
    }),
  )
}

async function issuersOf({ jwt }: AuthSettings, parts: AuthParts): Promise<Result<readonly Issuer[]>> {
  const issuers: Issuer[] = []
  const problems: Problem[] = []
  for (const { source, ...rest } of jwt) {
    const key = await keyOf(rest.issuer, source, parts)
    if (key.ok) issuers.push({ ...rest, key: key.value })
    else problems.push(...key.problems)
  }
  return problems.length > 0 ? failed(problems) : ok(issuers)
}

async function keyOf(
  issuer: string,
  source: AuthSettings['jwt'][number]['source'],
  { clock, secretOf, fetchDocument }: AuthParts,
): Promise<Result<Issuer['key']>> {
  if ('url' in source) return ok({ keys: keySetOfUrl(source.url, fetchDocument, clock) })
  if ('file' in source) {
    const keys = keySetOfFile(source.file, clock)
    return keys.ok ? ok({ keys: keys.value }) : keys
  }
  const unusable = (reason: string) => failed([authProblem('jwt_secret_unusable', { issuer, reason })])
  try {
    const secret = Buffer.from(await secretOf(source.secret), 'utf8')
    return secret.byteLength < LEAST_SECRET_BYTES
      ? unusable(`it has ${secret.byteLength} bytes, and must have at least ${LEAST_SECRET_BYTES}`)
      : ok({ secret: createSecretKey(secret) })
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error))
  }
}
