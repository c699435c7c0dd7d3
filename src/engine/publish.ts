import type { Json } from '../base/canonical.ts'
import type { Outcome, RootResult } from '../execution/outcome.ts'
import type { Reply, RunFacts } from './contract.ts'
import type { Parts } from './parts.ts'
import { excerptOf, type PublishedRoot, resultsText } from './results.ts'
import type { LiveSession } from './session-program.ts'
import type { Uses, UsesList } from './uses.ts'

/**
 * Turns the outcome of a run into its answer: keeps page handles and, where the text cannot show everything, a snapshot of
 * every computed row. An outcome without any result is a refusal only where nothing at all happened.
 */
export async function publish(
  parts: Parts,
  session: LiveSession,
  outcome: Outcome,
  uses: Uses,
): Promise<Reply<RunFacts>> {
  const excerpts = excerptOf(outcome.results)
  const snapshot = excerpts.some(({ cut }) => cut)
    ? await keepSnapshot(parts, session, outcome.results, uses)
    : undefined
  const results: PublishedRoot[] = []
  for (const [index, root] of outcome.results.entries()) {
    const nextPage = root.continuation ? await keepPage(parts, session, root) : undefined
    results.push({
      ...root,
      ...(nextPage === undefined ? {} : { nextPage }),
      ...(snapshot !== undefined && excerpts[index]?.cut ? { snapshot } : {}),
    })
  }
  const text = resultsText(results, excerpts, outcome.effects, outcome.problems)
  if (outcome.results.length === 0 && outcome.effects.length === 0 && outcome.problems.length > 0) {
    return { ok: false, text, problems: outcome.problems }
  }
  return {
    ok: true,
    text,
    meta: {
      logical_session_ref: session.toldRef,
      steps: results.map(stepOf),
      paging: results.flatMap(pagingOf),
    },
    facts: {
      logicalSessionRef: session.toldRef,
      results,
      effects: outcome.effects,
      usage: outcome.usage,
      problems: outcome.problems,
    },
  }
}

/** As it is kept: the rows of every root, and what they were read with. */
export interface Snapshot {
  readonly uses: UsesList
  readonly results: readonly Json[]
}

async function keepSnapshot(
  { store, limits }: Parts,
  { owner, toldRef }: LiveSession,
  roots: readonly RootResult[],
  uses: Uses,
): Promise<string> {
  const results = roots.map(({ label, entity, columns, rows }) => ({
    label,
    ...(entity ? { api: entity.catalog, entity: entity.entity } : {}),
    columns,
    rows: rows.map(({ values }) => values),
  }))
  const body = { uses: uses.list(), results }
  const ordinal = await store.mint(owner, 'snapshot', body, limits.snapshotLifeMs)
  return `plasm://session/${toldRef}/r/${ordinal}`
}

async function keepPage(
  { store, limits }: Parts,
  { owner, ref }: LiveSession,
  { continuation, label }: RootResult,
): Promise<string> {
  const body = { label, continuation: continuation as unknown as Json }
  return `${ref}_pg${await store.mint(owner, 'page', body, limits.pageLifeMs)}`
}

function stepOf({ label, rows, snapshot, partial }: PublishedRoot): Json {
  return {
    return_label: label,
    row_count: rows.length,
    ...(partial ? { partial } : {}),
    ...(snapshot === undefined ? {} : { artifact_uri: snapshot }),
  }
}

function pagingOf({ nextPage, rows, label }: PublishedRoot): Json[] {
  return nextPage === undefined
    ? []
    : [{ return_label: label, has_more: true, count: rows.length, next_page_handle: nextPage }]
}
