import type { Caller } from '../../access/caller.ts'
import type { Identity } from '../../access/identity.ts'
import type { Verifier } from '../../access/verifier.ts'
import { canonicalJson } from '../../base/canonical.ts'
import { isApiKey, type KeyRing } from './api-keys.ts'
import type { PolicySource } from './policy-file.ts'
import type { Proof } from './proof.ts'

/** Turns credentials into callers. */
export interface CredentialParts {
  readonly keys: Pick<KeyRing, 'verify'>
  readonly tokens: (token: string) => Promise<Proof | null>
  readonly policy: PolicySource
  /** `stillHolds` verifies the credential again. */
  readonly callerOf: (identity: Identity, stillHolds: () => Promise<boolean>) => Caller
  /** The caller of a request without a credential; null if a credential is required. */
  readonly withoutCredential: () => Caller | null
}

/**
 * Verifies API keys and tokens. An invalid credential is rejected even where none is required. Throws `AuthUnavailable`
 * if the keys or the policy cannot be read.
 */
export function credentialVerifier(parts: CredentialParts): Verifier {
  const proofOf = async (bearer: string) => {
    const proof = await (isApiKey(bearer) ? parts.keys.verify(bearer) : parts.tokens(bearer))
    return proof && !isRevoked(proof, parts.policy) ? proof : null
  }
  return {
    verify: async (bearer) => {
      if (bearer === undefined) return parts.withoutCredential()
      const proof = await proofOf(bearer)
      if (!proof) return null
      const { identity, only } = proof
      const stillHolds = async () => {
        const now = await proofOf(bearer)
        return now !== null && canonicalJson(now.identity) === canonicalJson(identity)
      }
      const caller = parts.callerOf(identity, stillHolds)
      return only ? { ...caller, surfaces: only } : caller
    },
  }
}

/** Checked on each request, also for cached tokens: an operator can revoke all credentials issued before a time. */
function isRevoked({ identity, issuedAt }: Proof, policy: PolicySource): boolean {
  const { revokedBefore } = policy.rightsOf(identity)
  return revokedBefore !== undefined && !(issuedAt !== undefined && issuedAt >= revokedBefore)
}

/** Wraps the verifier so that changes of the policy apply first. */
export function underPolicy(verifier: Verifier, policy: PolicySource): Verifier {
  return {
    verify: async (bearer) => {
      await policy.refresh()
      return verifier.verify(bearer)
    },
  }
}
