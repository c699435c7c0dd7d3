import type { CatalogSet } from '../catalog/lookup.ts'
import type { Catalog, Entity } from '../catalog/model.ts'
import { brandsIn, type Brands } from './brands.ts'
import { fitOf, partOf, topicsOf, type Fit, type Hit, type Topics } from './fit.ts'
import { groupBy } from './group.ts'
import { joinedTo, type Question } from './join.ts'
import { abilitiesOf, search, type Find, type Visible } from './search.ts'
import { wordsOf } from './goal.ts'

export interface Query {
  readonly intent: string
  /** Catalog ids to search; all by default, none if empty. */
  readonly allowed?: readonly string[]
}

export interface Ranking {
  /** Everything that fits, best first. */
  readonly hits: readonly Hit[]
  readonly topics: Topics
  readonly brands: Brands
  /** The ids of the catalogs that were searched. */
  readonly considered: readonly string[]
}

/** The most characters of a goal that are read. */
const MAX_GOAL_LENGTH = 4096
/** The share of a goal that a catalog must cover; and the share for a catalog that the goal names. */
const FLOOR = 0.45
const NAMED_FLOOR = 0.1
/** The share of another part that a catalog must cover if it covers nothing of the first. */
const ALONE = 0.9
/** A name proves more than this by its own words, and less by what else they are called. */
const OWN_WORD = 0.86
/** The number of entities shown for a catalog that is named without anything else. */
const MAX_GUESSES = 3
/** The minimum share relative to the catalog that covers most. */
const BESIDE_THE_BEST = 0.85
/** The coverage relative to the best catalog from which a named catalog is meant. */
const NEARLY = 0.8
/** The weight of further parts of the goal that ask for the same entity. */
const AGAIN = 0.3

/**
 * Ranks the entities that fit a goal. Each catalog is scored independently, so that adding an unrelated catalog changes
 * nothing: first how much of the goal it covers, then which of its entities match. Catalogs that the goal names come
 * first. Empty if nothing fits.
 */
export function rank(set: CatalogSet, query: Query, visible: Visible): Ranking {
  const allowed = query.allowed && new Set(query.allowed)
  const catalogs = [...set.byId.values()]
    .map(({ catalog }) => catalog)
    .filter(({ id }) => (allowed?.has(id) ?? true) && visible.mayUseCatalog(id))
  const goal = query.intent.slice(0, MAX_GOAL_LENGTH)
  const brands = brandsIn(goal, catalogs)
  const words = wordsOf(goal)
  const considered = new Set(catalogs.map(({ id }) => id))
  const finds = search(set, words, (id) => considered.has(id), visible)
  const topics = topicsOf(words, finds, new Set([...brands.values()].flatMap((named) => [...named])))
  const hits =
    topics.asked.length === 0 && brands.size > 0
      ? overview(catalogs, finds, brands, visible)
      : answers(catalogs, finds, { topics, brands, visible })
  return { hits, topics, brands, considered: [...considered] }
}

/** The parts of a goal that ask for something, or name an operation on a catalog. */
function clausesOf({ words, asked, brands }: Topics): number[] {
  const clauses = [...new Set(words.map(({ clause }) => clause))]
  return clauses.filter((clause) => {
    const here = words.flatMap((word, at) => (word.clause === clause ? [at] : []))
    return (
      here.some((at) => asked.includes(at)) ||
      (here.some((at) => words[at]?.verb) && here.some((at) => brands.has(at)))
    )
  })
}

/** The hits of all parts of a goal, best first: an entity that several parts ask for scores a little higher. */
function together(parts: readonly (readonly Hit[])[]): Hit[] {
  const found = new Map<Entity, Hit>()
  for (const hit of parts.flat()) {
    const before = found.get(hit.entity)
    if (!before) found.set(hit.entity, hit)
    else {
      const [most, least] = before.score >= hit.score ? [before, hit] : [hit, before]
      found.set(hit.entity, { ...most, score: most.score + least.score * AGAIN })
    }
  }
  return [...found.values()].toSorted(byScore)
}

/** The hits of each part of a goal. If nothing fits the first, which states what is wanted, the others must fit well. */
function answers(catalogs: readonly Catalog[], finds: readonly Find[], question: Question): Hit[] {
  const [first, ...rest] = clausesOf(question.topics)
  if (first === undefined) return []
  const wanted = fitting(catalogs, finds, question, { clause: first, floor: FLOOR })
  const floor = wanted.length > 0 || question.brands.size > 0 ? FLOOR : ALONE
  return together([wanted, ...rest.map((clause) => fitting(catalogs, finds, question, { clause, floor }))])
}

/** The hits of one part of a goal. */
function fitting(
  catalogs: readonly Catalog[],
  finds: readonly Find[],
  { topics, brands, visible }: Question,
  { clause, floor }: { readonly clause: number; readonly floor: number },
): Hit[] {
  const byCatalog = groupBy(finds, ({ catalog }) => catalog)
  const part = partOf(topics, clause)
  const question = { topics: part, brands, visible }
  const fits = catalogs.map((catalog) => fitOf(catalog, byCatalog.get(catalog) ?? [], part))
  const named = namedIn(fits, clause, question).map((fit) =>
    fit.hits.length > 0 ? fit : guessOf(fit, finds, question),
  )
  const wanted = named.length > 0 ? evenly(named) : levelled(beside(preferred(fits, brands), floor))
  const others = fits.filter(({ catalog }) => !wanted.some((fit) => fit.catalog === catalog))
  return hitsOf(
    [...wanted, ...evenly(beyond(wanted, others, part, named.length > 0 ? OWN_WORD : 0))],
    byCatalog,
    question,
  )
}

/**
 * The catalogs that this part of a goal names. `In linear` and `Linear` mean the catalog; `a linear equation` means it
 * only where the catalog knows something of the rest.
 */
function namedIn(fits: readonly Fit[], clause: number, { topics, brands }: Question): Fit[] {
  const words = topics.words.filter((word) => word.clause === clause)
  const stems = new Set(words.map(({ stem }) => stem))
  return fits.filter(({ catalog, coverage }) => {
    const named = brands.get(catalog.id)
    if (!named || ![...named].every((one) => stems.has(one))) return false
    const meant = words.some(
      ({ stem, literal, need, weight }) => named.has(stem) && (literal || need === weight),
    )
    return meant || coverage >= NAMED_FLOOR
  })
}

/** Where another part of the goal names catalogs, these are meant here, too, if they know nearly as much as others. */
function preferred(fits: readonly Fit[], brands: Brands): readonly Fit[] {
  const named = fits.filter(({ catalog, hits }) => brands.has(catalog.id) && hits.length > 0)
  const most = mostOf(fits)
  const good = named.filter(({ coverage }) => coverage >= FLOOR && coverage >= most * NEARLY)
  return good.length > 0 ? good : fits
}

function mostOf(fits: readonly Fit[]): number {
  return Math.max(0, ...fits.filter(({ hits }) => hits.length > 0).map(({ coverage }) => coverage))
}

/** Scores relative to the best, so that each part of a goal counts equally. */
function levelled(fits: readonly Fit[]): Fit[] {
  const best = Math.max(0, ...fits.flatMap(({ hits }) => hits.map(({ score }) => score)))
  return best === 0 ? [...fits] : fits.map((fit) => scaled(fit, 1 / best))
}

/** The most able entities of a catalog that the goal names and no entity of which stands out: something of it is wanted. */
function guessOf(fit: Fit, finds: readonly Find[], { brands, visible }: Question): Fit {
  const guesses = overview([fit.catalog], finds, brands, visible).slice(0, MAX_GUESSES)
  return { ...fit, hits: guesses.map((hit, at) => ({ ...hit, score: 1 / (at + 1) })) }
}

/** The catalogs that cover enough of the goal; each hit is weighted by its catalog's coverage. */
function beside(fits: readonly Fit[], floor: number): Fit[] {
  const most = mostOf(fits)
  return fits
    .filter(({ coverage }) => coverage >= floor && coverage >= most * BESIDE_THE_BEST)
    .map((fit) => scaled(fit, (fit.coverage / most) ** 2))
}

/** Scores relative to the best of each catalog, so that all named catalogs count equally. */
function evenly(fits: readonly Fit[]): Fit[] {
  return fits.flatMap((fit) => levelled([fit]))
}

function scaled(fit: Fit, factor: number): Fit {
  return { ...fit, hits: fit.hits.map((hit) => ({ ...hit, score: hit.score * factor })) }
}

/**
 * Beside the wanted catalogs, others count only for words that those do not cover: `a GitHub issue` does not ask about
 * other trackers, `copy GitHub issues into a spreadsheet` does ask about spreadsheets.
 *
 * @param least the minimum strength of a match of the name
 */
function beyond(wanted: readonly Fit[], others: readonly Fit[], topics: Topics, least: number): Fit[] {
  const answered = new Set(
    wanted.flatMap(({ hits }) =>
      hits.flatMap(({ evidence }) => [...evidence].flatMap(([at, { level }]) => (level > 1 ? [at] : []))),
    ),
  )
  const open = topics.asked.filter((at) => !answered.has(at))
  if (open.length === 0 || wanted.length === 0) return []
  return others.flatMap((fit) => {
    const hits = fit.hits.filter((hit) => hit.named && open.some((at) => strengthOf(hit, at) > least))
    const names = open.filter((at) => hits.some((hit) => strengthOf(hit, at) > 0))
    return names.length >= open.length * FLOOR ? [{ ...fit, hits }] : []
  })
}

/** How strongly a word of the goal names the entity. */
function strengthOf({ evidence }: Hit, at: number): number {
  const found = evidence.get(at)
  return found?.level === 3 ? found.strength : 0
}

/** The hits of these catalogs with their neighbours, best first. */
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
    .filter(({ id }) => brands.has(id))
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
