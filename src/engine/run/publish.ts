import { exceedsBytes, type Json } from '../../base/canonical.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { jsonLength } from '../../base/json.ts'
import type { Outcome, RootResult } from '../../execution/outcome.ts'
import { runReply } from '../reply/answer.ts'
import type { Meta, Reply, RunFacts } from '../contract.ts'
import { toKept } from '../session/kept.ts'
import type { PageHandles } from './page-handles.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import { excerptOf, type PublishedRoot, resultsText } from '../reply/results.ts'
import type { LiveSession, SessionPlan } from '../session/live-session.ts'
import type { Uses, UsesList } from '../session/uses.ts'
import { keep } from '../session/entries.ts'
import { within } from './within.ts'

/**
 * Turns the outcome of a run into its answer: keeps page handles and, where the text cannot show everything, a snapshot of
 * every computed row. What cannot be kept is a problem beside the results, since the run took place.
 */
export async function publish(
  parts: Parts,
  { session, plan }: SessionPlan,
  outcome: Outcome,
  { uses, pages }: { readonly uses: Uses; readonly pages: PageHandles },
): Promise<Reply<RunFacts>> {
  const excerpts = excerptOf(outcome.results)
  const problems = [...outcome.problems]
  const kept = <Handle>(result: Result<Handle>): Handle | undefined => {
    if (result.ok) return result.value
    const stated = new Set(problems.map(({ message }) => message))
    problems.push(...result.problems.filter(({ message }) => !stated.has(message)))
    return undefined
  }
  const snapshot = excerpts.some(({ cut }) => cut)
    ? kept(await keepSnapshot(parts, session, outcome.results, uses).catch(() => lost('the rows not shown')))
    : undefined
  const results: PublishedRoot[] = []
  for (const [index, root] of outcome.results.entries()) {
    const node = plan.returns[index]?.node ?? ''
    const nextPage = root.continuation
      ? kept(await pages.next(root, plan, node).catch(() => lost(`the next page of \`${root.label}\``)))
      : undefined
    results.push({
      ...root,
      ...(nextPage !== undefined && { nextPage }),
      ...(snapshot !== undefined && excerpts[index]?.cut && { snapshot }),
    })
  }
  const carried = within(results, parts.limits.answerLength)
  problems.push(...carried.problems)
  const text = resultsText(results, excerpts, outcome.effects, problems)
  const { effects, usage } = outcome
  return runReply(
    text,
    {
      logical_session_ref: session.shownRef,
      steps: results.map(stepOf),
      paging: results.flatMap(pagingOf),
    },
    { logicalSessionRef: session.shownRef, results: carried.roots, effects, usage, problems },
  )
}

/** The store failed: what the run gave reaches the caller all the same. */
function lost(what: string): Result<never> {
  return failed([engineProblem('rest_not_kept', { what })])
}

/** A snapshot as it is kept: the rows of every root, and the capabilities that they were read with. */
export interface Snapshot {
  readonly ref?: string
  readonly uses: UsesList
  readonly results: readonly Json[]
}

async function keepSnapshot(
  parts: Parts,
  session: LiveSession,
  roots: readonly RootResult[],
  uses: Uses,
): Promise<Result<string>> {
  const { snapshotBytes, snapshotLifeMs: lifeMs, snapshotsPerSession: most } = parts.limits
  const results = roots.map(({ label, entity, columns, rows }) => ({
    label,
    ...(entity && { api: entity.catalog, entity: entity.entity }),
    columns,
    rows: rows.map(({ values }) => values),
  }))
  // Written only if it may fit: the same large rows may be there many times.
  const isTooLong = jsonLength(results, snapshotBytes) > snapshotBytes
  const body = isTooLong ? '' : toKept({ ref: session.ref, uses: uses.list(), results })
  if (isTooLong || exceedsBytes(body, snapshotBytes))
    return failed([engineProblem('snapshot_too_big', { most: snapshotBytes })])
  const full = () => engineProblem('snapshots_full', { most })
  const kept = await keep(parts, session, { kind: 'snapshot', body, lifeMs, most, full })
  return kept.ok ? ok(`plasm://session/${session.shownRef}/r/${kept.value}`) : kept
}

function stepOf({
  label,
  rows,
  snapshot,
  partial,
  searched,
}: PublishedRoot): NonNullable<Meta['steps']>[number] {
  return {
    return_label: label,
    row_count: rows.length,
    ...(partial && { partial }),
    ...(searched !== undefined && { rows_searched: searched }),
    ...(snapshot !== undefined && { artifact_uri: snapshot }),
  }
}

function pagingOf({ nextPage, rows, label }: PublishedRoot): NonNullable<Meta['paging']> {
  return nextPage === undefined
    ? []
    : [{ return_label: label, has_more: true, count: rows.length, next_page_handle: nextPage }]
}
