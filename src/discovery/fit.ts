import type { Catalog } from '../catalog/model.ts'
import { groupBy } from './group.ts'
import type { Find, Level } from './search.ts'
import type { Word } from './words.ts'

/** A find with what it is worth for the goal. */
export interface Hit extends Find {
  readonly score: number
}

/** What one catalog has for a goal. */
export interface Fit {
  readonly catalog: Catalog
  /** Best first. */
  readonly hits: readonly Hit[]
  /** How much of the goal it knows, 0 to 1. */
  readonly coverage: number
}

/** How much of a word is answered where it names an entity, a part of one, or is only mentioned. */
const ANSWERED: Readonly<Record<Level, number>> = { 3: 1, 2: 0.7, 1: 0.4 }
/** A hit that is not named in full must reach this share of its catalog's best. */
const RELATIVE_FLOOR = 0.35
/** How much it counts that a hit answers what the better ones do not. */
const NOVELTY = 0.5

/** The words of a goal, as its ranking reads them. */
export interface Topics {
  readonly words: readonly Word[]
  /** Indexes of the words that have to be answered. */
  readonly asked: readonly number[]
  /** Indexes of the words that name a catalog. */
  readonly brands: ReadonlySet<number>
}

/**
 * What has to be answered: the nouns. Names and values are missed nowhere: they count where they name an entity. Words
 * that name a catalog are answered by the catalog.
 */
export function topicsOf(words: readonly Word[], finds: readonly Find[], stems: ReadonlySet<string>): Topics {
  const naming = new Set(
    finds.flatMap(({ evidence }) => [...evidence].flatMap(([at, { level }]) => (level === 3 ? [at] : []))),
  )
  // A word that names an entity as well is asked for: `pokemon`.
  const brands = new Set(words.flatMap((word, at) => (stems.has(word.stem) && !naming.has(at) ? [at] : [])))
  const asked = words.flatMap((word, at) =>
    word.verb || brands.has(at) || (word.literal && !naming.has(at)) ? [] : [at],
  )
  return { words, asked, brands }
}

/** What the finds of one catalog are worth, and how much of the goal they answer together. */
export function fitOf(catalog: Catalog, finds: readonly Find[], topics: Topics): Fit {
  const hits = finds
    .map((find) => ({ ...find, score: scoreOf(find, topics) }))
    .toSorted((a, b) => b.score - a.score || (a.entity.name < b.entity.name ? -1 : 1))
  const best = hits[0]?.score ?? 0
  const telling = hits.filter((hit) => tells(hit, topics))
  const fitting = inTurn(telling, topics).filter(
    ({ named, score }) => named || score >= best * RELATIVE_FLOOR,
  )
  return { catalog, hits: fitting, coverage: coverageOf(finds, topics) }
}

/**
 * The share of the words that have to be answered which the finds answer: of the whole goal, or of the one part of it
 * that they answer best. All of it, where there are none.
 */
function coverageOf(finds: readonly Find[], topics: Topics): number {
  const answers = answersTo(finds, topics)
  const [first, ...rest] = groupBy(answers, ({ clause }) => clause).values()
  // What comes first is what is wanted; further on stand purposes, places and manners.
  const wanted = first && (first.length > 1 || first[0]?.answered === 1) ? [shareOf(first)] : []
  const said = rest.filter(({ length }) => length > 1).map(shareOf)
  return Math.max(shareOf(answers), ...wanted, ...said)
}

interface Answer {
  readonly answered: number
  readonly weight: number
  readonly clause: number | undefined
}

function answersTo(finds: readonly Find[], { words, asked }: Topics): Answer[] {
  return asked.map((at) => {
    const levels = finds.map(({ evidence }) => evidence.get(at)?.level)
    const answered = Math.max(0, ...levels.map((level) => (level ? ANSWERED[level] : 0)))
    return { answered, weight: words[at]?.weight ?? 0, clause: words[at]?.clause }
  })
}

function shareOf(answers: readonly Answer[]): number {
  const whole = answers.reduce((sum, { weight }) => sum + weight, 0)
  return whole === 0 ? 1 : answers.reduce((sum, { answered, weight }) => sum + answered * weight, 0) / whole
}

function scoreOf({ evidence }: Find, topics: Topics): number {
  return [...evidence].reduce(
    (sum, [at, { level, strength }]) => sum + worthOf(at, level, topics) * strength,
    0,
  )
}

/** What the word counts; one that only names the catalog tells none of its entities from another. */
function worthOf(at: number, level: Level, { words, brands }: Topics): number {
  return brands.has(at) && level < 3 ? 0 : (words[at]?.weight ?? 0)
}

/**
 * Does the find stand on more than chance? Some noun names it, or two words speak of it, or one word names a part of it
 * and is half of the goal.
 */
function tells({ evidence }: Find, { words, asked, brands }: Topics): boolean {
  const nouns = [...evidence].filter(([at]) => words[at]?.verb === false)
  const own = nouns.filter(([at, { level }]) => level === 3 || !brands.has(at))
  if (own.length === 0) return asked.length === 0 && [...evidence.values()].some(({ level }) => level === 3)
  const levels = own.map(([, { level }]) => level)
  return levels.includes(3) || evidence.size >= 2 || (levels.includes(2) && levels.length * 2 >= asked.length)
}

/** Best first, where what a better one has answered counts less: a goal of three things wants three entities. */
function inTurn(hits: readonly Hit[], topics: Topics): Hit[] {
  const left = [...hits]
  const chosen: Hit[] = []
  const answered = new Map<number, number>()
  while (left.length > 0) {
    const values = left.map((hit) => (1 - NOVELTY) * hit.score + NOVELTY * noveltyOf(hit, answered, topics))
    const value = Math.max(...values)
    const [next] = left.splice(values.indexOf(value), 1)
    if (!next) break
    chosen.push({ ...next, score: value })
    for (const [at, { strength }] of next.evidence)
      answered.set(at, Math.max(strength, answered.get(at) ?? 0))
  }
  return chosen
}

function noveltyOf({ evidence }: Find, answered: ReadonlyMap<number, number>, topics: Topics): number {
  return [...evidence].reduce(
    (sum, [at, { level, strength }]) =>
      sum + worthOf(at, level, topics) * Math.max(0, strength - (answered.get(at) ?? 0)),
    0,
  )
}
