import { createSecretKey } from 'node:crypto'
import { join } from 'node:path'
import { type Caller, callerOf, type Resolution } from '../../access/caller.ts'
import type { Identity } from '../../access/identity.ts'
import { NOTHING } from '../../access/policy.ts'
import type { SharedTexts } from '../../access/shared-texts.ts'
import type { Verifier } from '../../access/verifier.ts'
import type { Clock } from '../../base/clock.ts'
import { reasonOf } from '../../base/errors.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { type KeyRing, keyRing } from './api-keys.ts'
import { credentialVerifier, underPolicy } from './credentials.ts'
import type { FetchDocument } from './key-sets.ts'
import { keysInDirectory, sharedKeys } from './key-places.ts'
import { everybody, localToken } from './local-token.ts'
import { noPolicy, policyFile, type PolicySource } from './policy-file.ts'
import { authProblem } from './problems.ts'
import { sharedPolicy } from './shared-policy.ts'
import type { Issuer } from './tokens.ts'

/** The operator's authentication settings. Paths are absolute. */
export interface AuthSettings extends Resolution {
  readonly mode: 'off' | 'token' | 'optional' | 'required'
  /** The server is reachable only from this machine. */
  readonly isLoopback: boolean
  readonly dataDir: string
  /** Absent: the keys of the store that nodes share. */
  readonly keysDir?: string
  readonly jwt: readonly (Pick<Issuer, 'issuer' | 'audience' | 'scopes' | 'toleranceSeconds'> & {
    /** Public keys by URL or file, or the reference of a shared secret. */
    readonly source: { readonly url: URL } | { readonly file: string } | { readonly secret: string }
  })[]
  /** A file, or the policy of the store that nodes share. */
  readonly policy?: string | { readonly isShared: true }
}

/** Values from outside. */
export interface AuthParts {
  readonly clock: Clock
  /** 128 random bits, new at each call. */
  readonly newId: () => string
  /** The secret behind `env:NAME` or `file:PATH`. */
  readonly secretOf: (reference: string) => Promise<string>
  readonly fetchDocument: FetchDocument
  /** Absent if the store belongs to one machine. */
  readonly texts?: SharedTexts | undefined
}

export interface Auth {
  readonly verifier: Verifier
  /** The user of this machine, who needs no credential. */
  readonly local: Caller
  readonly policy: PolicySource
}

/** The minimum length of a shared secret: the size of an HS256 hash. */
const MIN_SECRET_BYTES = 32

/**
 * Sets up authentication, or returns every problem of its settings.
 *
 * Gives the problems of policy, token file and key sets, and `nothing_to_verify`.
 */
export async function authOf(settings: AuthSettings, parts: AuthParts): Promise<Result<Auth>> {
  const policy = await policyOf(settings.policy, parts)
  if (!policy.ok) return policy
  const rights = policy.value
  const resolution = { ...settings, isOpen: settings.mode === 'off' }
  const resolved = (identity: Identity, stillHolds: () => Promise<boolean> = async () => true) => {
    let holds = true
    const rightsNow = () => (holds ? rights.rightsOf(identity) : NOTHING)
    return callerOf(identity, resolution, rightsNow, async () => {
      await rights.refresh()
      return (holds = await stillHolds())
    })
  }
  const local = resolved({ from: 'local' })
  const anonymous = () => resolved({ from: 'anonymous', name: parts.newId() })
  const verifier = await verifierOf(settings, parts, rights, { resolved, local, anonymous })
  return verifier.ok ? ok({ verifier: underPolicy(verifier.value, rights), local, policy: rights }) : verifier
}

/** The place of API keys: the configured directory, else the store that nodes share, else the data directory. */
export function keysOf(
  { keysDir, dataDir }: Pick<AuthSettings, 'keysDir' | 'dataDir'>,
  { clock, texts }: Pick<AuthParts, 'clock' | 'texts'>,
): KeyRing {
  const place =
    keysDir === undefined && texts ? sharedKeys(texts) : keysInDirectory(keysDir ?? join(dataDir, 'keys'))
  return keyRing(place, clock)
}

/** Loads the policy from its configured place. Gives its problems, or `policy_not_shared`. */
export async function policyOf(
  policy: AuthSettings['policy'],
  { clock, texts }: Pick<AuthParts, 'clock' | 'texts'>,
): Promise<Result<PolicySource>> {
  if (policy === undefined) return ok(noPolicy)
  if (typeof policy === 'string') return policyFile(policy, clock)
  return texts ? ok(await sharedPolicy(texts, clock)) : failed([authProblem('policy_not_shared', {})])
}

interface Callers {
  readonly resolved: (identity: Identity, stillHolds?: () => Promise<boolean>) => Caller
  readonly local: Caller
  readonly anonymous: () => Caller
}

async function verifierOf(
  settings: AuthSettings,
  parts: AuthParts,
  policy: PolicySource,
  { resolved, local, anonymous }: Callers,
): Promise<Result<Verifier>> {
  const { mode, dataDir, isLoopback } = settings
  if (mode === 'off') return ok(everybody(isLoopback ? () => local : anonymous))
  if (mode === 'token')
    return localToken(dataDir, parts.clock, (stillHolds) => resolved({ from: 'local' }, stillHolds))
  const keys = keysOf(settings, parts)
  const issuers = await issuersOf(settings, parts)
  if (!issuers.ok) return issuers
  if (issuers.value.length === 0) {
    const held = await keys.list()
    if (!held.ok) return held
    if (mode === 'required' && held.value.length === 0)
      return failed([authProblem('nothing_to_verify', { mode, where: keys.where })])
  }
  // The JWT library is loaded only where tokens are verified.
  const { tokenReader } = await import('./tokens.ts')
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
  if (!('secret' in source)) {
    const { keySetOfFile, keySetOfUrl } = await import('./key-sets.ts')
    if ('url' in source) return ok(keySetOfUrl(source.url, fetchDocument, clock))
    return keySetOfFile(source.file, clock)
  }
  const unusable = (reason: string) => failed([authProblem('jwt_secret_unusable', { issuer, reason })])
  try {
    const secret = Buffer.from(await secretOf(source.secret), 'utf8')
    return secret.byteLength < MIN_SECRET_BYTES
      ? unusable(`it has ${secret.byteLength} bytes, and must have at least ${MIN_SECRET_BYTES}`)
      : ok({ secret: createSecretKey(secret) })
  } catch (error) {
    return unusable(reasonOf(error))
  }
}
