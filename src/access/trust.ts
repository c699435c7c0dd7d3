import { failed, ok, type Result } from '../base/diagnostic.ts'
import { trustProblem } from './problems.ts'

/**
 * How far a session, or a server that it uses, is trusted.
 *
 * `direct`: a process runs with the rights of this one. `sandboxed`: a process runs only in a sandbox, and servers that are
 * `direct` do not exist for the session.
 */
export type TrustLevel = (typeof TRUST_LEVELS)[number]
export const TRUST_LEVELS = ['direct', 'sandboxed'] as const

export const LEAST_TRUST: TrustLevel = 'sandboxed'

/** The spelling that settings, files and callers may vary: without spaces around it and in lower case. */
export function normalTrust(text: string): string {
  return text.trim().toLowerCase()
}

/** Reads a level of trust. Gives `unknown_trust` for anything but the two: no text means more than it says. */
export function readTrust(text: string): Result<TrustLevel> {
  const level = normalTrust(text)
  const known = TRUST_LEVELS.find((one) => one === level)
  return known ? ok(known) : failed([trustProblem('unknown_trust', { text: text.slice(0, 40) })])
}

/** The lowest of these levels. */
export function lowestTrust(levels: readonly TrustLevel[]): TrustLevel {
  return levels.includes('sandboxed') ? 'sandboxed' : 'direct'
}
