import { failed, type Result } from '../../base/diagnostic.ts'
import { Pace } from '../../base/slices/pace.ts'
import type { KeptPlace, Outcome, RootResult } from '../../execution/outcome.ts'
import { runReply } from '../reply/answer.ts'
import type { Meta, Reply, RunFacts } from '../contract.ts'
import type { PageHandles } from './page-handles.ts'
import type { EngineCall } from '../call.ts'
import { effectsOf } from '../effects/effects.ts'
import { engineProblem } from '../problems.ts'
import { excerptOf, type PublishedRoot, resultsText } from '../reply/results.ts'
import type { SessionPlan } from '../session/live-session.ts'
import type { Uses } from '../session/uses.ts'
import { keepSnapshot } from './snapshots.ts'
import { within } from './within.ts'

/**
 * Turns the outcome of a run into its answer: keeps page handles and, where the text cannot show everything, a snapshot of
 * every computed row. What cannot be kept is a problem beside the results, since the run took place.
 */
export async function publish(
  call: EngineCall,
  { session, plan }: SessionPlan,
  outcome: Outcome,
  { uses, pages }: { readonly uses: Uses; readonly pages: PageHandles },
): Promise<Reply<RunFacts>> {
  const pace = new Pace(call.clock, call.pause)
  const excerpts = await excerptOf(outcome.results, pace)
  const problems = [...outcome.problems]
  const kept = <Handle>(result: Result<Handle>): Handle | undefined => {
    if (result.ok) return result.value
    const stated = new Set(problems.map(({ message }) => message))
    problems.push(...result.problems.filter(({ message }) => !stated.has(message)))
    return undefined
  }
  // Rows that an earlier answer kept are not kept again.
  const snapshot = excerpts.some(({ cut }, index) => cut && !outcome.results[index]?.kept)
    ? kept(
        await keepSnapshot(call, session, { results: outcome.results, uses, pace }).catch(() =>
          lost('the rows not shown'),
        ),
      )
    : undefined
  const results: PublishedRoot[] = []
  for (const [index, root] of outcome.results.entries()) {
    const node = plan.returns[index]?.node ?? ''
    const held = root.kept?.snapshot ?? snapshot
    const shown = excerpts[index]?.lines.length ?? 0
    const rest = shown < root.rows.length ? placeOf(root, shown, { snapshot, root: index }) : undefined
    const handle = async (from?: KeptPlace) =>
      kept(await pages.next(root, from, plan, node).catch(() => lost(`the next page of \`${root.label}\``)))
    const nextPage = root.continuation ? await handle() : undefined
    const nextShown = rest ? await handle(rest) : nextPage
    results.push({
      ...root,
      ...(nextPage !== undefined && { nextPage }),
      ...(nextShown !== undefined && { nextShown, shown }),
      ...(held !== undefined &&
        excerpts[index]?.cut && { snapshot: `plasm://session/${session.shownRef}/r/${held}` }),
    })
  }
  const { answerLength, snapshotBytes } = call.limits
  // Rows that fit into a snapshot need not be measured again.
  const fits = snapshot !== undefined && snapshotBytes <= answerLength
  const carried = fits ? { roots: results, problems: [] } : await within(results, answerLength, pace)
  problems.push(...carried.problems)
  const { effects, usage } = outcome
  const changes = effectsOf(plan, call.budget).length > 0 ? effects : undefined
  const text = resultsText(results, excerpts, changes, problems)
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

/** Where the rows from the n-th on are kept: by this answer, or by the one that they came from. */
function placeOf(
  { kept }: RootResult,
  shown: number,
  own: { readonly snapshot: number | undefined; readonly root: number },
): KeptPlace | undefined {
  if (kept) return { ...kept, from: kept.from + shown }
  return own.snapshot === undefined
    ? undefined
    : { snapshot: String(own.snapshot), root: own.root, from: shown }
}

/** The store failed: what the run gave reaches the caller all the same. */
function lost(what: string): Result<never> {
  return failed([engineProblem('rest_not_kept', { what })])
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

function pagingOf({ nextShown, shown = 0, label }: PublishedRoot): NonNullable<Meta['paging']> {
  return nextShown === undefined
    ? []
    : [{ return_label: label, has_more: true, count: shown, next_page_handle: nextShown }]
}
