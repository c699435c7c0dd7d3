import { parse } from 'yaml'
import type { Identity } from '../../access/identity.ts'
import { CLOSED_POLICY, NO_POLICY, type Policy, readPolicy, type Rights } from '../../access/policy.ts'
import { reasonOf } from '../../base/errors.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { KeptFile } from './kept-file.ts'
import { authProblem } from './problems.ts'
import { AuthUnavailable } from './unavailable.ts'

/** The operator's current policy. */
export interface PolicySource {
  /** Where it is, for messages; absent if there is none. */
  readonly where?: string
  /** Applies changes of the operator. Rejects with `AuthUnavailable` if the policy cannot be read. */
  readonly refresh: () => Promise<void>
  /** The rights as of a moment ago; none if the policy cannot be read. */
  readonly rightsOf: (identity: Identity) => Rights
  readonly policy: () => Policy
}

/** Grants everything to every caller. */
export const noPolicy: PolicySource = {
  refresh: async () => undefined,
  rightsOf: NO_POLICY.rightsOf,
  policy: () => NO_POLICY,
}

/**
 * The policy of a YAML or JSON file, read again when it changes: a revoked right is gone at the next call. A file that
 * becomes invalid grants no rights.
 *
 * Gives `policy_unreadable` or the problems of `readPolicy` for a file that is invalid at the start.
 */
export function policyFile(path: string, clock: Clock): Result<PolicySource> {
  const file = new KeptFile<Policy>(
    path,
    (text) => policyOfText(text, path),
    (reason) => failed([authProblem('policy_unreadable', { path, reason })]),
    clock,
  )
  const first = file.now()
  if (!first.ok) return first
  const policy = () => {
    const read = file.recent()
    return read.ok ? read.value : CLOSED_POLICY
  }
  return ok({
    where: path,
    refresh: async () => refuseUnread(file.now()),
    rightsOf: (identity) => policy().rightsOf(identity),
    policy,
  })
}

/** An unreadable policy neither accepts nor rejects a credential: the request fails as unavailable. */
export function refuseUnread(read: Result<Policy>): void {
  if (!read.ok) throw new AuthUnavailable(read.problems.map(({ message }) => message).join('; '))
}

/**
 * Parses a policy of YAML or JSON. Gives `policy_unreadable` or the problems of `readPolicy`.
 *
 * @param path its place, for messages
 */
export function policyOfText(text: string, path: string): Result<Policy> {
  try {
    const value: unknown = parse(text, { maxAliasCount: 0 })
    return readPolicy(value, path, Date.parse)
  } catch (error) {
    const reason = reasonOf(error)
    return failed([authProblem('policy_unreadable', { path, reason })])
  }
}
