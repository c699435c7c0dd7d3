import { exceedsBytes } from '../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../base/diagnostic.ts'
import type { EntryKind, Owner } from '../execution/store.ts'
import type { Reply, RunFacts } from './contract.ts'
import type { Parts } from './parts.ts'
import { engineProblem } from './problems.ts'
import { resultsText } from './results.ts'

/** Why nothing more is kept for the principal, if so. */
export async function noRoom({ store, limits }: Parts, { principal }: Owner): Promise<Problem | undefined> {
  const most = limits.bytesPerPrincipal
  return (await store.holdsBytes(principal, most)) ? engineProblem('bytes_full', { most }) : undefined
}

/**
 * Keeps a thing under the next number of its kind, or says which cap stands in the way.
 *
 * @param body as it is kept
 * @param full states that there are as many of the kind as there may be
 */
export async function keep(
  parts: Parts,
  owner: Owner,
  kind: EntryKind,
  body: string,
  { lifeMs, most, full }: { readonly lifeMs: number; readonly most: number; readonly full: () => Problem },
): Promise<Result<number>> {
  const noBytes = await noRoom(parts, owner)
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
