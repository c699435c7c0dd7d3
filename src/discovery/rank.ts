import type { CatalogSet } from '../catalog/lookup.ts'
import type { Catalog } from '../catalog/model.ts'
import { brandsIn, type Brands } from './brands.ts'
import { fitOf, topicsOf, type Fit, type Hit, type Topics } from './fit.ts'
import { groupBy } from './group.ts'
import { joinedTo, type Question } from './join.ts'
import { abilitiesOf, search, type Find, type Visible } from './search.ts'
import { wordsOf } from './words.ts'

export interface Query {
  readonly intent: string
  /** Catalog ids to stay within; all where absent, none where empty. */
  readonly allowed?: readonly string[]
}

export interface Ranking {
  /** Everything that fits, best first. */
  readonly hits: readonly Hit[]
  readonly topics: Topics
  readonly brands: Brands
}

/** Characters of a goal that are read. */
const LONGEST_GOAL = 4096
/** A catalog must know so much of a goal; of one that names it, so much. */
const FLOOR = 0.45
const NAMED_FLOOR = 0.1
/** So many entities stand for a catalog that is named and nothing more. */
const MOST_GUESSES = 3
/** And so much of what the catalog knows that knows most. */
const BESIDE_THE_BEST = 0.7

/**
 * Which entities fit a goal. Each catalog is measured by itself, so that one more catalog changes nothing that has
 * nothing to do with it: how much of the goal it answers, then which entities answer it. Catalogs that the goal names
 * come first. Nothing, where nothing fits.
 */
export function rank(set: CatalogSet, query: Query, visible: Visible): Ranking {
  const allowed = query.allowed && new Set(query.allowed)
  const catalogs = [...set.byId.values()]
    .map(({ catalog }) => catalog)
    .filter(({ id }) => (allowed?.has(id) ?? true) && visible.mayUseCatalog(id))
  const goal = query.intent.slice(0, LONGEST_GOAL)
  const brands = brandsIn(goal, catalogs)
  const words = wordsOf(goal)
  const considered = new Set(catalogs.map(({ id }) => id))
  const finds = search(set, words, (id) => considered.has(id), visible)
  const topics = topicsOf(words, finds, brands.stems)
  const hits =
    topics.asked.length === 0 && brands.ids.size > 0
      ? overview(catalogs, finds, brands, visible)
      : fitting(finds, { topics, brands, visible })
  return { hits, topics, brands }
}

function fitting(finds: readonly Find[], question: Question): Hit[] {
  const { topics, brands } = question
  const byCatalog = groupBy(finds, ({ catalog }) => catalog)
  const fits = [...byCatalog].map(([catalog, own]) => fitOf(catalog, own, topics))
  const named = fits
    .filter(({ catalog, coverage }) => brands.ids.has(catalog.id) && coverage >= NAMED_FLOOR)
    .map((fit) => (fit.hits.length > 0 ? fit : guessOf(fit, finds, question)))
  const others = fits.filter(({ catalog }) => !brands.ids.has(catalog.id))
  if (named.length === 0) return hitsOf(beside(others), byCatalog, question)
  return hitsOf(evenly([...named, ...beyond(named, others, topics)]), byCatalog, question)
}

/** The most able entities of a catalog that the goal names and no entity of which stands out: something of it is wanted. */
function guessOf(fit: Fit, finds: readonly Find[], { brands, visible }: Question): Fit {
  const guesses = overview([fit.catalog], finds, brands, visible).slice(0, MOST_GUESSES)
  return { ...fit, hits: guesses.map((hit, at) => ({ ...hit, score: 1 / (at + 1) })) }
}

/** The catalogs that know enough of the goal, each hit worth as much as its catalog knows. */
function beside(fits: readonly Fit[]): Fit[] {
  const most = Math.max(0, ...fits.filter(({ hits }) => hits.length > 0).map(({ coverage }) => coverage))
  return fits
    .filter(({ coverage }) => coverage >= FLOOR && coverage >= most * BESIDE_THE_BEST)
    .map((fit) => scaled(fit, (fit.coverage / most) ** 2))
}

/** Catalogs that the goal names are wanted alike. */
function evenly(fits: readonly Fit[]): Fit[] {
  const best = Math.max(0, ...fits.map(({ hits }) => hits[0]?.score ?? 0))
  return fits.map((fit) => scaled(fit, best / (fit.hits[0]?.score ?? best)))
}

function scaled(fit: Fit, factor: number): Fit {
  return { ...fit, hits: fit.hits.map((hit) => ({ ...hit, score: hit.score * factor })) }
}

/**
 * Where the goal names catalogs, others count only for words that the named ones have no answer to: `a GitHub issue` is
 * no question about other trackers, `copy GitHub issues into a spreadsheet` is one about spreadsheets.
 */
function beyond(named: readonly Fit[], others: readonly Fit[], topics: Topics): Fit[] {
  const answered = new Set(
    named.flatMap(({ hits }) =>
      hits.flatMap(({ evidence }) => [...evidence].flatMap(([at, { level }]) => (level > 1 ? [at] : []))),
    ),
  )
  const open = topics.asked.filter((at) => !answered.has(at))
  if (open.length === 0) return []
  return others.flatMap((fit) => {
    const hits = fit.hits.filter((hit) => hit.named && open.some((at) => hit.evidence.get(at)?.level === 3))
    const names = open.filter((at) => hits.some(({ evidence }) => evidence.get(at)?.level === 3))
    return names.length >= open.length * FLOOR ? [{ ...fit, hits }] : []
  })
}

/** The hits of these catalogs with what joins them, best first. */
function hitsOf(
  fits: readonly Fit[],
  finds: ReadonlyMap<Catalog, readonly Find[]>,
  question: Question,
): Hit[] {
  return fits
    .flatMap((fit) => [...fit.hits, ...joinedTo(fit, finds.get(fit.catalog) ?? [], question)])
    .toSorted(byScore)
}

/** A goal that names catalogs and nothing else gets their entities: those it names too, then the most able first. */
function overview(
  catalogs: readonly Catalog[],
  finds: readonly Find[],
  brands: Brands,
  visible: Visible,
): Hit[] {
  const found = new Map(finds.map((find) => [find.entity, find]))
  return catalogs
    .filter(({ id }) => brands.ids.has(id))
    .flatMap((catalog) =>
      catalog.entities.map((entity) => ({
        ...(found.get(entity) ?? { catalog, entity, evidence: new Map(), named: false }),
        score: abilitiesOf(catalog, entity, visible),
      })),
    )
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => Number(b.named) - Number(a.named) || byScore(a, b))
}

function byScore(a: Hit, b: Hit): number {
  return (
    b.score - a.score ||
    (a.catalog.id < b.catalog.id ? -1 : a.catalog.id > b.catalog.id ? 1 : 0) ||
    (a.entity.name < b.entity.name ? -1 : 1)
  )
}
