import type { Problem } from '../base/diagnostic.ts'
import { Sliced } from '../base/slices/sliced.ts'
import { nearest } from '../base/suggest.ts'
import { findApi, type CatalogSet } from '../catalog/lookup.ts'
import { type Corpus, corpusIn, type Visible } from './corpus.ts'
import type { WordTable } from './embedder.ts'
import { changeAsked } from './goal.ts'
import { type Meaning, meaningByWords } from './meaning.ts'
import { problem } from './problems.ts'
import { type Question, readQuestion } from './question.ts'
import { rank } from './rank.ts'
import { rowsOf, type DiscoveryRow } from './rows.ts'
import { discoveryText } from './table.ts'
import { similarIn } from './similar.ts'
import { vectorsIn } from './vectors.ts'
import { decide, decisionText, rowsIn } from './typed.ts'

export interface DiscoverInput {
  readonly intent: string
  /** Asks for one decision instead of a table. */
  readonly typed?: boolean | undefined
  /** The most rows of a table, at most 12; the most options of a decision, 8 by default. */
  readonly max_options?: number | undefined
  /** Ids or aliases of the catalogs to search. */
  readonly allowed_entry_ids?: readonly string[] | undefined
}

export interface Discovery {
  /** The agent's text. */
  readonly text: string
  readonly rows: readonly DiscoveryRow[]
  /** More entities fit than are shown. */
  readonly truncated: boolean
  readonly omitted: number
  /** The best of the entities that are not shown. */
  readonly topOmitted: readonly { readonly api: string; readonly entity: string }[]
  /** Names in `allowed_entry_ids` of no catalog, or of several; the others were searched. */
  readonly problems: readonly Problem[]
}

/** The default number of options of a decision. */
const MAX_OPTIONS = 8

/**
 * Makes what `discover` derives from a set, a slice for each step, so that other work can go on in between. Without it the first
 * goal of a set takes as long as all slices.
 */
export function* prepare(set: CatalogSet, table: WordTable): Generator<void, Corpus> {
  const making = corpusIn(set)
  while (making.step()) yield
  const corpus = making.whole()
  const vectors = vectorsIn(table)(corpus)
  while (vectors.step()) yield
  const similar = similarIn(table)(corpus)
  while (similar.step()) yield
  return corpus
}

/**
 * Answers one goal with the entities that serve it, each with how sure that is. Pure: the same set, input, rights and
 * vectors give the same text.
 *
 * @param visible the caller's rights; a `Caller` has this shape
 */
export function discover(
  set: CatalogSet,
  input: DiscoverInput,
  visible: Visible,
  table: WordTable,
): Discovery {
  const asked = new Sliced(ask(set, input, visible, table)).whole()
  return new Sliced(answer(asked, meaningByWords(asked.question.view.corpus, table))).whole()
}

/** A call as it is answered. */
export interface Asked {
  readonly input: DiscoverInput
  readonly visible: Visible
  readonly question: Question
  readonly problems: readonly Problem[]
}

/**
 * Reads a call, in steps.
 *
 * @yields after each step, of a few milliseconds for the longest goal
 */
export function* ask(
  set: CatalogSet,
  input: DiscoverInput,
  visible: Visible,
  table: WordTable,
): Generator<void, Asked> {
  const { allowed, problems } = readAllowed(set, input.allowed_entry_ids, visible)
  const query = { intent: input.intent, ...(allowed && { allowed }) }
  return { input, visible, question: yield* readQuestion(set, query, visible, table), problems }
}

/**
 * Answers a call, in steps.
 *
 * @yields after each step, of a few milliseconds for the longest goal
 */
export function* answer(
  { input, visible, question, problems }: Asked,
  meaning: Meaning,
): Generator<void, Discovery> {
  const ranking = yield* rank(question, meaning)
  yield
  if (input.typed === true) {
    const decision = decide(ranking, input.max_options ?? MAX_OPTIONS, visible)
    const rows = rowsIn(decision)
    return { text: decisionText(decision), rows, truncated: false, omitted: 0, topOmitted: [], problems }
  }
  const selection = rowsOf(ranking, visible, input.max_options)
  const { shown, omitted, next } = selection
  return {
    text: discoveryText(selection, ranking, { visible, change: changeAsked(input.intent) }),
    rows: shown.map(({ row }) => row),
    truncated: omitted > 0,
    omitted,
    topOmitted: next.map(({ catalog, entity }) => ({ api: catalog.id, entity: entity.name })),
    problems,
  }
}

function readAllowed(set: CatalogSet, names: readonly string[] | undefined, visible: Visible) {
  if (names === undefined) return { problems: [] }
  const allowed: string[] = []
  const problems: Problem[] = []
  for (const [at, entry] of names.entries()) {
    const path = `allowed_entry_ids[${at}]`
    const meant = findApi(set, entry, visible.mayUseCatalog)
    if ('found' in meant) allowed.push(meant.found.catalog.id)
    else if ('ambiguous' in meant)
      problems.push(problem('ambiguous_entry', { entry, known: meant.ambiguous }, { path }))
    else {
      const near = nearest(entry, meant.known)
      problems.push(problem('unknown_api', { api: entry, nearest: near }, { path, nearest: near }))
    }
  }
  return { allowed, problems }
}
