import type { Entry } from './corpus.ts'
import type { Meaning } from './meaning.ts'
import type { Named } from './named.ts'
import type { Question } from './question.ts'
import { scoresFor } from './score.ts'
import type { View } from './view.ts'
import type { Weights } from './weights.ts'

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

/** How well each entity serves one text of a goal, by its number, and the best of these scores. */
interface Scored {
  readonly scores: Float32Array
  readonly top: number
}

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
export function* rank(question: Question, meaning: Meaning): Generator<void, Ranking> {
  const { view, named, foreign, considered } = question
  const { weights } = meaning
  const texts: Scored[] = []
  for (const text of question.texts) {
    yield
    const scores = scoresFor(text, question, meaning)
    texts.push({ scores, top: scores.reduce((top, score) => Math.max(top, score), 0) })
  }
  const hitFor = (entry: Entry) => hitOf(entry, texts, weights, foreign.length > 0)
  const [best = [], ...others] = texts.map(({ scores, top }) => ordered(scores, view, top - weights.farthest))
  const inTurn = distinct([
    ...best.slice(0, WHOLE_FIRST),
    ...interleaved([best.slice(WHOLE_FIRST), ...others]),
  ])
  const hits = inTurn.map(hitFor)
  const sure = BANDS.flatMap((band) => hits.filter((hit) => hit.band === band))
  const hasSeveral = question.texts.length > 1 || named.size > 1
  const first = ofNamed(named, hasSeveral ? NAMED_FIRST.beside : NAMED_FIRST.alone, view, hitFor)
  const listed = new Set(first.map(({ entry }) => entry))
  return {
    hits: [...first, ...sure.filter(({ entry }) => !listed.has(entry))].slice(0, MAX_HITS),
    named,
    foreign,
    considered,
  }
}

/** An entity is as sure as the text that it serves best makes it. */
function hitOf(entry: Entry, texts: readonly Scored[], { likely, strong }: Weights, isForeign: boolean): Hit {
  let best = 0
  let band: Band = 'weak'
  for (const { scores, top } of texts) {
    const score = scores[entry.at] ?? 0
    const reaches = ({ from, behind }: Weights['likely']) => score >= from && top - score <= behind
    best = Math.max(best, score)
    if (reaches(strong)) band = 'strong'
    else if (reaches(likely) && band === 'weak') band = 'likely'
  }
  return { entry, score: best, band: isForeign ? 'weak' : band }
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
