import type { CatalogSet } from '../catalog/lookup.ts'
import { indexOf } from '../catalog/lookup.ts'
import type { Catalog, Entity } from '../catalog/model.ts'
import { groupBy } from './group.ts'
import { joinedTo } from './join.ts'
import { isOffered, search, type Hit, type Visible } from './search.ts'
import { rawWords, stems, wordsOf, type Word } from './words.ts'

export interface Query {
  readonly intent: string
  /** Catalog ids to stay within; all where absent. */
  readonly allowed?: readonly string[]
  /** Most rows to show, at most 12. */
  readonly limit?: number
}

export interface Ranking {
  /** What to show, best first. */
  readonly shown: readonly Hit[]
  /** What fits as well and found no room, best first. */
  readonly omitted: readonly Hit[]
}

const MOST_ROWS = 12
const MOST_ROWS_A_CATALOG = 8
/** Characters of a goal that are read. */
const LONGEST_GOAL = 4096

/** A hit that is not named in full must reach this share of the best score. */
const RELATIVE_FLOOR = 0.35
/** Of a catalog that the goal names and no hit fits, so many weak ones are shown. */
const MOST_GUESSES = 3
/** A brand has to have this many letters: shorter ids are words of any sentence. */
const BRAND_FROM = 3
/** A brand is at most this many words: `google calendar`. */
const BRAND_WORDS = 4

/**
 * Which entities fit a goal: hits above the floors, with the entities that join them, shared out fairly among the
 * catalogs. Catalogs that the goal names come first. Nothing, where nothing fits.
 */
export function rank(set: CatalogSet, query: Query, visible: Visible): Ranking {
  const allowed = query.allowed && new Set(query.allowed)
  const consider = (id: string) => (allowed?.has(id) ?? true) && visible.mayUseCatalog(id)
  const intent = query.intent.slice(0, LONGEST_GOAL)
  const brands = brandsIn(intent, set, consider)
  const words = wordsOf(intent)
  const hits = search(set, words, consider, visible)
  const fitting = aboveFloors(hits, words, brands.stems)
  const brandsOnly = words.every((word) => word.verb || brands.stems.has(word.stem))
  if (fitting.length === 0 && brandsOnly) return share(overview(set, brands.ids, visible), query.limit)
  const routed = brands.ids.size === 0 ? fitting : routedTo(brands.ids, fitting, hits, words)
  const ranked = [...routed, ...joinedTo(routed, hits)].toSorted(byBrandThenScore(brands.ids))
  return share(ranked, query.limit)
}

/** The catalogs that the goal names by id or alias, and the words that name them. */
function brandsIn(intent: string, set: CatalogSet, consider: (id: string) => boolean) {
  const words = rawWords(intent)
  const phrases = new Map<string, readonly string[]>()
  for (let at = 0; at < words.length; at++) {
    for (let length = 1; length <= BRAND_WORDS; length++) {
      const phrase = words.slice(at, at + length)
      phrases.set(phrase.join(''), phrase)
    }
  }
  const ids = new Set<string>()
  const named: string[] = []
  for (const { catalog } of set.byId.values()) {
    for (const name of [catalog.id, ...catalog.aliases]) {
      const key = rawWords(name).join('')
      const phrase = key.length >= BRAND_FROM && consider(catalog.id) ? phrases.get(key) : undefined
      if (!phrase) continue
      ids.add(catalog.id)
      named.push(...phrase)
    }
  }
  return { ids, stems: new Set(stems(named.join(' '))) }
}

/**
 * The absolute floor: some word names the entity, or two words speak of it, or one word names a part of it and is half
 * of the goal. Words that only name a catalog prove nothing; a verb proves something where no noun does. Then the
 * relative floor.
 */
function aboveFloors(hits: readonly Hit[], words: readonly Word[], brands: ReadonlySet<string>): Hit[] {
  const topics = words.filter((word) => !word.verb && !brands.has(word.stem)).length
  const telling = hits.filter(({ evidence }) => {
    const strengths = [...evidence].flatMap(([at, strength]) =>
      strength === 3 || !brands.has(words[at]?.stem ?? '') ? [strength] : [],
    )
    return (
      strengths.includes(3) ||
      strengths.length >= 2 ||
      (strengths.includes(2) && strengths.length * 2 >= topics)
    )
  })
  const byNoun = telling.filter((hit) => nouns(hit, words, 1).length > 0)
  const fitting = byNoun.length > 0 ? byNoun : telling
  const best = Math.max(0, ...fitting.map(({ score }) => score))
  return fitting.filter(({ named, score }) => named || score >= best * RELATIVE_FLOOR)
}

/** The words, verbs aside, that speak of the hit at least so strongly. */
function nouns({ evidence }: Hit, words: readonly Word[], strength: number): number[] {
  return [...evidence].flatMap(([at, found]) => (found >= strength && words[at]?.verb === false ? [at] : []))
}

/**
 * Where the goal names catalogs, others count only for words that the named ones have no answer to: `a GitHub issue`
 * is no question about other trackers, `copy GitHub issues into a spreadsheet` is one about spreadsheets. A named
 * catalog without a hit above the floors still shows its best ones: the goal wants something of it.
 */
function routedTo(
  brands: ReadonlySet<string>,
  fitting: readonly Hit[],
  hits: readonly Hit[],
  words: readonly Word[],
): Hit[] {
  const inside = [...brands].flatMap((id) => {
    const own = fitting.filter(({ catalog }) => catalog.id === id)
    return own.length > 0 ? own : bestOf(hits.filter(({ catalog }) => catalog.id === id))
  })
  const answered = new Set(inside.flatMap(({ evidence }) => [...evidence.keys()]))
  const outside = fitting.filter(
    (hit) => !brands.has(hit.catalog.id) && nouns(hit, words, 3).some((word) => !answered.has(word)),
  )
  return [...inside, ...outside]
}

function bestOf(hits: readonly Hit[]): Hit[] {
  return hits.toSorted((a, b) => b.score - a.score).slice(0, MOST_GUESSES)
}

/** A goal that names catalogs and nothing else gets their entities, the most able first. */
function overview(set: CatalogSet, brands: ReadonlySet<string>, visible: Visible): Hit[] {
  return [...brands]
    .flatMap((id) => set.byId.get(id)?.catalog ?? [])
    .flatMap((catalog) =>
      catalog.entities
        .filter((entity) => isOffered(catalog, entity, visible))
        .map((entity) => ({
          catalog,
          entity,
          score: abilities(catalog, entity, visible),
          evidence: new Map(),
          named: false,
        })),
    )
    .toSorted(byBrandThenScore(brands))
}

function abilities(catalog: Catalog, entity: Entity, visible: Visible): number {
  return indexOf(catalog)
    .capabilitiesOf(entity.name)
    .filter((capability) => visible.mayUseCapability(catalog.id, capability.name)).length
}

function byBrandThenScore(brands: ReadonlySet<string>) {
  return (a: Hit, b: Hit): number =>
    Number(brands.has(b.catalog.id)) - Number(brands.has(a.catalog.id)) ||
    b.score - a.score ||
    (a.catalog.id < b.catalog.id ? -1 : a.catalog.id > b.catalog.id ? 1 : 0) ||
    (a.entity.name < b.entity.name ? -1 : 1)
}

/** One row a round from each catalog, so that every catalog that fits is there; then in the order of rank again. */
function share(ranked: readonly Hit[], limit = MOST_ROWS): Ranking {
  const most = Math.min(limit, MOST_ROWS)
  const queues = [...groupBy(ranked, ({ catalog }) => catalog.id).values()].map((queue) =>
    queue.slice(0, MOST_ROWS_A_CATALOG),
  )
  const chosen = new Set<Hit>()
  for (let round = 0; round < MOST_ROWS_A_CATALOG; round++) {
    for (const queue of queues) {
      const next = queue[round]
      if (next && chosen.size < most) chosen.add(next)
    }
  }
  return { shown: ranked.filter((hit) => chosen.has(hit)), omitted: ranked.filter((hit) => !chosen.has(hit)) }
}
