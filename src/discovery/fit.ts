import type { Catalog } from '../catalog/model.ts'
import type { Evidence, Find, Level } from './search.ts'
import type { Word } from './goal.ts'
import type { VerbKind } from './lexicon.ts'

/** A match with its score for the goal. */
export interface Hit extends Find {
  readonly score: number
}

/** The matches of one catalog. */
export interface Fit {
  readonly catalog: Catalog
  /** Best first. */
  readonly hits: readonly Hit[]
  /** The share of the goal that it covers, 0 to 1. */
  readonly coverage: number
}

/** How much of a word is answered, by what it proves: by a part of an entity, of one that is to be made, by a mention. */
const PART = 1.9
const PART_OF_A_THING = 1
const MENTION = 2
/** How much less an answer is worth where the catalog has no word of the goal, only what else people call it. */
const SECOND_HAND = 0.75
const WRITING: ReadonlySet<VerbKind> = new Set(['update', 'delete', 'action'])
const MAKING: ReadonlySet<VerbKind> = new Set(['create', 'delete', 'action', 'own'])
/** A hit behind the first few that is not named in full must reach this share of its catalog's best. */
const RELATIVE_FLOOR = 0.5
const FEW = 3
/** How much a word counts that stands in another part of the goal. */
const ELSEWHERE = 0.2

/** The words of a goal, or of one part of it, for ranking. */
export interface Topics {
  readonly words: readonly Word[]
  /** Indexes of the words to be covered. */
  readonly asked: readonly number[]
  /** Indexes of the words that name a catalog. */
  readonly brands: ReadonlySet<number>
}

/**
 * The words to be covered: the nouns. Names and values need not be covered; they count if they name an entity. Words that
 * name a catalog are covered by the catalog.
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

/** The same words, limited to those of one part of the goal. */
export function partOf(topics: Topics, clause: number): Topics {
  return { ...topics, asked: topics.asked.filter((at) => topics.words[at]?.clause === clause) }
}

/** Scores the matches of one catalog, and how much of the goal they cover together. */
export function fitOf(catalog: Catalog, finds: readonly Find[], topics: Topics): Fit {
  const hits = finds
    .map((find) => ({ ...find, score: scoreOf(find, topics) }))
    .toSorted((a, b) => b.score - a.score || (a.entity.name < b.entity.name ? -1 : 1))
  const telling = hits.filter((hit) => tells(hit, topics))
  const best = hits[0]?.score ?? 0
  const fitting = telling.filter(
    ({ named, score }, at) => named || at < FEW || score >= best * RELATIVE_FLOOR,
  )
  return { catalog, hits: fitting, coverage: cannot(catalog, topics) ? 0 : coverageOf(telling, topics) }
}

/** The share of the words that the matches cover together, 0 to 1; 1 if there are none to cover. */
function coverageOf(finds: readonly Find[], topics: Topics): number {
  const { words, asked } = topics
  const makes = makesThings(topics)
  let whole = 0
  let answered = 0
  for (const at of asked) {
    const { weight, need } = words[at] ?? { weight: 0, need: 0 }
    const part = makes && weight === 1 ? PART_OF_A_THING : PART
    const answer = weight * Math.max(0, ...finds.map(({ evidence }) => answeredBy(evidence.get(at), part)))
    answered += answer
    whole += Math.max(need, answer)
  }
  const said = asked.some((at) => finds.some(({ evidence }) => evidence.get(at)?.said))
  return whole === 0 ? 1 : (answered / whole) * (said ? 1 : SECOND_HAND)
}

/** A goal that writes does not fit a catalog that only reads. */
function cannot(catalog: Catalog, { words, asked }: Topics): boolean {
  const clause = words[asked[0] ?? -1]?.clause
  const verb = words.find((word) => word.clause === clause && word.verb)?.verb
  return (
    verb !== undefined && WRITING.has(verb) && catalog.capabilities.every(({ effect }) => effect === 'read')
  )
}

/** A field cannot be created, paid or cancelled: the object of such a verb must be an entity. */
function makesThings({ words, asked }: Topics): boolean {
  const clause = words[asked[0] ?? -1]?.clause
  return words.some((word) => word.clause === clause && word.verb && MAKING.has(word.verb))
}

/** A name answers a word as far as it proves the entity; a part or a mention proves little and answers more. */
function answeredBy(evidence: Evidence | undefined, part: number): number {
  if (!evidence) return 0
  return evidence.strength * (evidence.level === 3 ? 1 : evidence.level === 2 ? part : MENTION)
}

/** The total weight of the words of the goal that match an entity. */
function scoreOf({ evidence }: Find, topics: Topics): number {
  return [...evidence].reduce(
    (sum, [at, { level, strength }]) => sum + worthOf(at, level, topics) * strength,
    0,
  )
}

/** What the word counts; one that only names the catalog tells none of its entities from another. */
function worthOf(at: number, level: Level, { words, asked, brands }: Topics): number {
  if (brands.has(at) && level < 3) return 0
  const { weight, verb } = words[at] ?? { weight: 0, verb: undefined }
  return verb || asked.includes(at) ? weight : weight * ELSEWHERE
}

/**
 * Is the match more than a coincidence? Some noun names it, or two words match it, or one word matches a part of it and
 * is half of the goal.
 */
function tells({ evidence }: Find, { asked }: Topics): boolean {
  const own = [...evidence].filter(([at]) => asked.includes(at))
  if (own.length === 0) return asked.length === 0 && [...evidence.values()].some(({ level }) => level === 3)
  const levels = own.map(([, { level }]) => level)
  return levels.includes(3) || evidence.size >= 2 || (levels.includes(2) && levels.length * 2 >= asked.length)
}
