import type { CatalogSet } from '../catalog/lookup.ts'
import { corpusIn, type Entry, type Visible } from './corpus.ts'
import type { Embedder } from './embedder.ts'
import { readGoal } from './goal.ts'
import { namedIn, type Phrase, phrasesOf, servicesIn, type Named } from './named.ts'
import { scores } from './score.ts'
import { viewOf, type View } from './view.ts'
import { terms } from '../base/words.ts'

export interface Query {
  readonly intent: string
  /** Catalog ids to search; all by default, none if empty. */
  readonly allowed?: readonly string[]
}

/** How sure the answer is that an entity serves the goal. */
const BANDS = ['strong', 'likely', 'weak'] as const
export type Band = (typeof BANDS)[number]

/** An entity with its score for the goal. */
export interface Hit {
  readonly entry: Entry
  readonly score: number
  readonly band: Band
}

export interface Ranking {
  /** Best first; every entity that has anything in common with the goal, but no more than can be shown or counted. */
  readonly hits: readonly Hit[]
  readonly named: Named
  /** Services that the goal names and that no catalog bears. */
  readonly foreign: readonly string[]
  /** The ids of the catalogs that were searched. */
  readonly considered: readonly string[]
}

/**
 * The least score of an entity that is likely or strong, and how far it may be behind the best: calibrated on goals with
 * known answers (`npm run discovery:goals`).
 */
const LIKELY = { from: 8.3, behind: 3 }
const STRONG = { from: 8.3, behind: 1 }
/** An entity this far behind the best is not worth a row. */
const FARTHEST = 6
/** The most hits of a ranking. */
const MAX_HITS = 60
/** How many of the best for the whole goal come before the best for its parts. */
const WHOLE_FIRST = 3
/** How many entities of a catalog that the goal names come first, and where the goal has several parts or names several. */
const NAMED_FIRST = { alone: 4, beside: 2 }

/**
 * Ranks the entities that serve a goal: first those of the catalogs that it names, then those for the whole goal and for
 * each of its parts in turn.
 *
 * @yields after each step, of a few milliseconds for the longest goal
 */
export function* rank(
  set: CatalogSet,
  query: Query,
  visible: Visible,
  embedder: Embedder,
): Generator<void, Ranking> {
  const allowed = query.allowed && new Set(query.allowed)
  const catalogs = [...set.byId.values()]
    .map(({ catalog }) => catalog)
    .filter(({ id }) => (allowed?.has(id) ?? true) && visible.mayUseCatalog(id))
  const considered = new Set(catalogs.map(({ id }) => id))
  const view = viewOf(corpusIn(set).whole(), embedder, considered, visible)
  yield
  const goal = readGoal(query.intent, view)
  yield
  const phrases = phrasesOf(goal.text)
  yield
  const named = namedIn(phrases, catalogs)
  const foreign = named.size > 0 ? [] : foreignIn(phrases, view)
  const texts: Float32Array[] = []
  for (const text of [goal.text, ...goal.parts]) {
    yield
    texts.push(scores(text, view, named))
  }
  const tops = texts.map((one) => one.reduce((top, score) => Math.max(top, score), 0))
  const hitFor = (entry: Entry) => hitOf(entry, texts, tops, foreign.length > 0)
  const [best = [], ...others] = texts.map((one, at) => ordered(one, view, (tops[at] ?? 0) - FARTHEST))
  const inTurn = distinct([
    ...best.slice(0, WHOLE_FIRST),
    ...interleaved([best.slice(WHOLE_FIRST), ...others]),
  ])
  const hits = inTurn.map(hitFor)
  const sure = BANDS.flatMap((band) => hits.filter((hit) => hit.band === band))
  const first = ofNamed(
    named,
    goal.parts.length > 0 || named.size > 1 ? NAMED_FIRST.beside : NAMED_FIRST.alone,
    view,
    hitFor,
  )
  const listed = new Set(first.map(({ entry }) => entry))
  return {
    hits: [...first, ...sure.filter(({ entry }) => !listed.has(entry))].slice(0, MAX_HITS),
    named,
    foreign,
    considered: [...considered],
  }
}

/** An entity is as sure as the text that it serves best makes it. */
function hitOf(
  entry: Entry,
  texts: readonly Float32Array[],
  tops: readonly number[],
  isForeign: boolean,
): Hit {
  let score = 0
  let band: Band = 'weak'
  for (const [text, one] of texts.entries()) {
    const own = one[entry.at] ?? 0
    const behind = (tops[text] ?? 0) - own
    const reaches = (least: typeof LIKELY) => own >= least.from && behind <= least.behind
    score = Math.max(score, own)
    if (reaches(STRONG)) band = 'strong'
    else if (reaches(LIKELY) && band === 'weak') band = 'likely'
  }
  return { entry, score, band: isForeign ? 'weak' : band }
}

/** The services that a goal names, except those that a visible text mentions. */
function foreignIn(phrases: readonly Phrase[], { corpus, embedder, sees }: View): string[] {
  return servicesIn(phrases, embedder).filter((name) => {
    const [first, ...others] = terms(name).map((root) => new Set(corpus.index.postingsOf(root).texts))
    if (!first) return false
    for (const at of first) if (sees(at) && others.every((texts) => texts.has(at))) return false
    return true
  })
}

/** The visible entities that are not far behind the best, best first. */
function ordered(one: Float32Array, { corpus, sees }: View, least: number): Entry[] {
  const isClose = (score: number, at: number) => score > least && sees(corpus.entries[at]?.first ?? -1)
  const kept = one.map((score, at) => (score > 0 && isClose(score, at) ? score : 0))
  // Sorting numbers is fast: only the entities that are kept are sorted as objects.
  const last = kept.toSorted().at(-MAX_HITS) ?? 0
  const best = corpus.entries.filter(({ at }) => (kept[at] ?? 0) > 0 && (kept[at] ?? 0) >= last)
  return best.toSorted((a, b) => (one[b.at] ?? 0) - (one[a.at] ?? 0) || a.at - b.at).slice(0, MAX_HITS)
}

/** The best entities of each catalog that the goal names, in turn: the sure ones, or what it has if there are none. */
function ofNamed(named: Named, most: number, view: View, hitFor: (entry: Entry) => Hit): Hit[] {
  const queues = [...named.keys()].map((id) => {
    const own = view.corpus.entries.filter(({ catalog, first }) => catalog.id === id && view.sees(first))
    const hits = own
      .map(hitFor)
      .toSorted((a, b) => b.score - a.score || a.entry.at - b.entry.at)
      .slice(0, most)
    const sure = hits.filter(({ band }) => band !== 'weak')
    return sure.length > 0 ? sure : hits
  })
  return interleaved(queues.toSorted(([a], [b]) => (b?.score ?? 0) - (a?.score ?? 0)))
}

function interleaved<Value>(lists: readonly (readonly Value[])[]): Value[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}
