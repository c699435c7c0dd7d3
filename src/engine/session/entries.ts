import { exceedsBytes } from '../../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import type { EntryKind, Owner } from '../../execution/store.ts'
import { shortRef } from '../../session/identity.ts'
import type { Reply, RunFacts } from '../contract.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import { resultsText } from '../reply/results.ts'
import type { LiveSession } from './live-session.ts'

/** Why nothing more is kept for the principal, if so. */
export async function noRoom({ store, limits }: Parts, { principal }: Owner): Promise<Problem | undefined> {
  const most = limits.bytesPerPrincipal
  return (await store.holdsBytes(principal, most)) ? engineProblem('bytes_full', { most }) : undefined
}

/** A thing that goes with its session: one that is opened later at the same address has another ref. */
interface OfSession {
  /** Absent in what an older version kept. */
  readonly ref?: string | undefined
}

/** Is it of this very session? */
export function isOf({ ref: own }: LiveSession, { ref = own }: OfSession): boolean {
  return ref === own
}

/** Nothing while the caller's name for the session still leads to it; else what to tell of what is not stored. */
export async function whyClosed(
  { store }: Parts,
  { owner: { principal, address }, ref }: LiveSession,
): Promise<Result<never> | undefined> {
  const { ordinal } = await store.findByRef(principal, { address })
  if (ordinal !== null && shortRef(ordinal) === ref) return undefined
  return failed([engineProblem('session_closed', {})])
}

/**
 * Keeps a thing of the session under the next number of its kind, or says what stands in the way: a cap, or that the session
 * was closed meanwhile.
 *
 * @param body as it is kept
 * @param full states that there are as many of the kind as there may be
 */
export async function keep(
  parts: Parts,
  session: LiveSession,
  kind: EntryKind,
  body: string,
  { lifeMs, most, full }: { readonly lifeMs: number; readonly most: number; readonly full: () => Problem },
): Promise<Result<number>> {
  const { owner } = session
  const [noBytes, closed] = await Promise.all([noRoom(parts, owner), whyClosed(parts, session)])
  if (closed) return closed
  if (noBytes) return failed([noBytes])
  const number = await parts.store.mint(owner, kind, body, lifeMs, most)
  return number === null ? failed([full()]) : ok(number)
}

/** The answer of a run as it can be kept: what became of every change always, its rows where there is room for them. */
export async function keptReply(
  parts: Parts,
  owner: Owner,
  reply: Reply<RunFacts>,
): Promise<Reply<RunFacts>> {
  const isSmall = !exceedsBytes(JSON.stringify(reply), parts.limits.snapshotBytes)
  if (!reply.ok || (isSmall && !(await noRoom(parts, owner)))) return reply
  const { effects, problems } = reply.facts
  const facts = { ...reply.facts, results: [], problems: [...problems, engineProblem('rows_not_kept', {})] }
  const text = resultsText([], [], effects, facts.problems)
  return { ...reply, text, meta: { ...reply.meta, steps: [], paging: [] }, facts }
}
