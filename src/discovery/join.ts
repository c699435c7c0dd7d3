import { indexOf } from '../catalog/lookup.ts'
import type { Catalog, Entity, Type } from '../catalog/model.ts'
import type { Brands } from './brands.ts'
import type { Fit, Hit, Topics } from './fit.ts'
import { abilitiesOf, type Find, type Visible } from './search.ts'

/** A way from one entity to another of the same catalog: a relation, a field that refers, or an argument that does. */
export interface Join {
  readonly from: string
  readonly by: string
  readonly to: string
  /** It can be walked by its name: a relation of `from`. */
  readonly relation: boolean
}

/** What was asked, and by whom. */
export interface Question {
  readonly topics: Topics
  readonly brands: Brands
  readonly visible: Visible
}

/** So many of the best hits speak for others. */
const SPEAKERS = 3
/** So many others come along, of one catalog. */
const MOST_JOINED = 3
/** What comes along stands behind what fits. */
const BEHIND = 0.5
/** A catalog that knows less of the goal than this leaves much of it open. */
const MUCH = 0.6

const joins = new WeakMap<Catalog, readonly Join[]>()

/** Every join of a catalog, each pair of entities once, relations before references. */
export function joinsOf(catalog: Catalog): readonly Join[] {
  let found = joins.get(catalog)
  if (!found) joins.set(catalog, (found = makeJoins(catalog)))
  return found
}

/** The relations between these entities of a catalog, in the order of the names; of a pair that is joined both ways, one. */
export function joinsAmong(catalog: Catalog, names: readonly string[]): Join[] {
  const places = new Map(names.map((name, at) => [name, at]))
  const told = new Set<string>()
  return joinsOf(catalog)
    .filter(({ from, to, relation }) => relation && places.has(from) && places.has(to))
    .toSorted((a, b) => rankOf(a, places) - rankOf(b, places))
    .filter(({ from, to }) => {
      const pair = JSON.stringify([from, to].toSorted())
      return told.size < told.add(pair).size
    })
}

function rankOf({ from, to }: Join, places: ReadonlyMap<string, number>): number {
  return (places.get(from) ?? 0) + (places.get(to) ?? 0)
}

/**
 * What comes along with the hits of one catalog: of its other finds those one step away from the best, because a goal
 * that needs an order needs its customer, too; and, where the goal names the catalog and much of it found no answer,
 * the most able neighbour of the best. Entities that no word of the goal touches do not come along otherwise.
 */
export function joinedTo(fit: Fit, finds: readonly Find[], { topics, brands, visible }: Question): Hit[] {
  const { hits, coverage } = fit
  if (hits.length === 0) return []
  const score = Math.min(...hits.map((hit) => hit.score)) * BEHIND
  const there = new Set(hits.map(({ entity }) => entity.name))
  const near = nextTo(fit, hits.slice(0, SPEAKERS))
  const touched = finds
    .filter(
      ({ entity, evidence }) =>
        near.has(entity.name) && !there.has(entity.name) && topics.asked.some((at) => evidence.has(at)),
    )
    .slice(0, MOST_JOINED)
    .map((find) => ({ ...find, score }))
  const guess = brands.ids.has(fit.catalog.id) && coverage < MUCH ? hubOf(fit, visible) : undefined
  return guess && ![...hits, ...touched].some(({ entity }) => entity === guess.entity)
    ? [...touched, { ...guess, score }]
    : touched
}

/** The entities that these lead to. */
function nextTo({ catalog }: Fit, hits: readonly Hit[]): ReadonlySet<string> {
  const names = new Set(hits.map(({ entity }) => entity.name))
  return new Set(joinsOf(catalog).flatMap(({ from, to }) => (names.has(from) ? [to] : [])))
}

/** The neighbour of the best hit, in either direction, with which most can be done. */
function hubOf({ catalog, hits }: Fit, visible: Visible): Find | undefined {
  const name = hits[0]?.entity.name
  const { entities } = indexOf(catalog)
  const [most] = joinsOf(catalog)
    .flatMap(({ from, to }) => (from === name ? [to] : to === name ? [from] : []))
    .flatMap((neighbour) => entities.get(neighbour) ?? [])
    .map((entity) => ({ entity, able: abilitiesOf(catalog, entity, visible) }))
    .toSorted((a, b) => b.able - a.able)
  if (!most || most.able === 0) return undefined
  return { catalog, entity: most.entity, evidence: new Map(), named: false }
}

function makeJoins(catalog: Catalog): Join[] {
  const found = new Map<string, Join>()
  const add = (from: Entity, by: string, to: string, relation: boolean) => {
    const key = JSON.stringify([from.name, to])
    if (from.name !== to && !found.has(key)) found.set(key, { from: from.name, by, to, relation })
  }
  const { capabilitiesOf, entities } = indexOf(catalog)
  for (const entity of catalog.entities)
    for (const { name, target, via } of entity.relations) add(entity, name, target, via.kind !== 'none')
  for (const entity of catalog.entities) {
    const slots = [...entity.fields, ...capabilitiesOf(entity.name).flatMap(({ parameters }) => parameters)]
    for (const { name, type } of slots) for (const target of referred(type)) add(entity, name, target, false)
  }
  return [...found.values()].filter(({ to }) => entities.has(to))
}

function referred(type: Type): readonly string[] {
  if (type.kind === 'reference') return [type.entity]
  return type.kind === 'array' ? referred(type.items) : []
}
