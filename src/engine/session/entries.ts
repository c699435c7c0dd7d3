import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import type { EntryKind, Owner } from '../entry-store.ts'
import { shortRef } from '../../session/identity.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import type { LiveSession } from './live-session.ts'

/** `bytes_full` if the principal has no capacity left. */
export async function overCapacity(
  { store, limits }: Parts,
  { principal }: Owner,
): Promise<Problem | undefined> {
  const most = limits.bytesPerPrincipal
  return (await store.holdsBytes(principal, most)) ? engineProblem('bytes_full', { most }) : undefined
}

/** An entry names its session by ref: a session that is opened later at the same address has another ref. */
interface SessionEntry {
  /** Absent in entries of older versions. */
  readonly ref?: string | undefined
}

/** Does the entry belong to this session? */
export function belongsTo({ ref: own }: LiveSession, { ref = own }: SessionEntry): boolean {
  return ref === own
}

/** `session_closed` if the caller's name for the session no longer leads to it. */
export async function whyClosed(
  { store }: Parts,
  { owner: { principal, address }, ref }: LiveSession,
): Promise<Result<never> | undefined> {
  const { ordinal } = await store.findByRef(principal, { address })
  if (ordinal !== null && shortRef(ordinal) === ref) return undefined
  return failed([engineProblem('session_closed', {})])
}

interface NewEntry {
  readonly kind: EntryKind
  readonly body: string
  readonly lifeMs: number
  /** The most entries of the kind. */
  readonly most: number
  /** The problem of an entry beyond them. */
  readonly full: () => Problem
}

/**
 * Keeps an entry of the session and gives its number. Refused at a cap, and with `session_closed` if the session was closed
 * meanwhile.
 */
export async function keep(
  parts: Parts,
  session: LiveSession,
  { kind, body, lifeMs, most, full }: NewEntry,
): Promise<Result<number>> {
  const { owner } = session
  const [overfull, closed] = await Promise.all([overCapacity(parts, owner), whyClosed(parts, session)])
  if (closed) return closed
  if (overfull) return failed([overfull])
  const number = await parts.store.append({ owner, kind, body, lifeMs, most })
  return number === null ? failed([full()]) : ok(number)
}
