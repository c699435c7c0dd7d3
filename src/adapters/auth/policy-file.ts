import { parse } from 'yaml'
import type { Identity } from '../../access/identity.ts'
import { CLOSED_POLICY, NO_POLICY, type Policy, readPolicy, type Rights } from '../../access/policy.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { KeptFile } from './kept-file.ts'
import { authProblem } from './problems.ts'
import { AuthUnavailable } from './unavailable.ts'

/** Who may do what, as the operator says now. */
export interface PolicySource {
  /** For people; absent where there is none. */
  readonly where?: string
  /** Takes over what the operator changed. Rejects with `AuthUnavailable` where the policy cannot be read. */
  readonly refresh: () => Promise<void>
  /** The rights as of a moment ago; none at all where the policy cannot be read. */
  readonly rightsOf: (identity: Identity) => Rights
  readonly policy: () => Policy
}

/** Everybody may do everything. */
export const noPolicy: PolicySource = {
  refresh: async () => undefined,
  rightsOf: NO_POLICY.rightsOf,
  policy: () => NO_POLICY,
}

/**
 * The policy of a YAML or JSON file, read again when it changes: a right that is taken back is gone at the next call. A
 * file that was broken since gives nobody any right.
 *
 * Gives `policy_unreadable` or what `readPolicy` gives, for a file that is wrong at the start.
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

/** Nobody is proved or refused by what could not be read. */
export function refuseUnread(read: Result<Policy>): void {
  if (!read.ok) throw new AuthUnavailable(read.problems.map(({ message }) => message).join('; '))
}

/**
 * The policy that a text of YAML or JSON holds. Gives `policy_unreadable` or what `readPolicy` gives.
 *
 * @param path where it stands, for people
 */
export function policyOfText(text: string, path: string): Result<Policy> {
  try {
    const value: unknown = parse(text, { maxAliasCount: 0 })
    return readPolicy(value, path, Date.parse)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failed([authProblem('policy_unreadable', { path, reason })])
  }
}
