import { once } from '../base/once.ts'
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
  /** It can be followed by its name: a relation of `from`. */
  readonly relation: boolean
}

/** The question and its caller. */
export interface Question {
  readonly topics: Topics
  readonly brands: Brands
  readonly visible: Visible
}

/** The number of best hits whose neighbours are added. */
const SPEAKERS = 3
/** The most neighbours that are added per catalog. */
const MAX_JOINED = 2
/** The score of a neighbour relative to its hit: neighbours follow the hits. */
const BEHIND = 0.5
/** The minimum number of rows of a named catalog, if that many entities are joined. */
const FEW = 4

/** Every join of a catalog, each pair of entities once, relations before references. */
export const joinsOf = once(makeJoins)

/** The relations between these entities of a catalog, in the order of the names; one per pair of entities. */
export function joinsAmong(catalog: Catalog, names: readonly string[]): Join[] {
  const places = new Map(names.map((name, at) => [name, at]))
  const seen = new Set<string>()
  return joinsOf(catalog)
    .filter(({ from, to, relation }) => relation && places.has(from) && places.has(to))
    .toSorted((a, b) => rankOf(a, places) - rankOf(b, places))
    .filter(({ from, to }) => {
      const pair = JSON.stringify([from, to].toSorted())
      return seen.size < seen.add(pair).size
    })
}

function rankOf({ from, to }: Join, places: ReadonlyMap<string, number>): number {
  return (places.get(from) ?? 0) + (places.get(to) ?? 0)
}

/**
 * The neighbours to add to the hits of one catalog. Other matches one step away from the best are added, because a goal
 * that needs an order needs its customer, too. If the goal names the catalog and few of its entities match, their
 * neighbours with the most capabilities are added. Entities that match no word of the goal are not added otherwise.
 */
export function joinedTo(fit: Fit, finds: readonly Find[], { topics, brands, visible }: Question): Hit[] {
  const { catalog, hits } = fit
  if (hits.length === 0) return []
  const score = Math.min(...hits.map((hit) => hit.score)) * BEHIND
  const there = new Set(hits.map(({ entity }) => entity.name))
  const near = nextTo(fit, hits.slice(0, SPEAKERS))
  const touched = finds
    .filter(
      ({ entity, evidence }) =>
        near.has(entity.name) && !there.has(entity.name) && topics.asked.some((at) => evidence.has(at)),
    )
    .slice(0, MAX_JOINED)
  const room = FEW - hits.length - touched.length
  if (!brands.has(catalog.id) || room <= 0) return touched.map((find) => ({ ...find, score }))
  for (const { entity } of touched) there.add(entity.name)
  const able = neighboursOf(fit, visible).filter(({ entity }) => !there.has(entity.name))
  return [...touched, ...able.slice(0, room)].map((find) => ({ ...find, score }))
}

/** The targets of these joins. */
function nextTo({ catalog }: Fit, hits: readonly Hit[]): ReadonlySet<string> {
  const names = new Set(hits.map(({ entity }) => entity.name))
  return new Set(joinsOf(catalog).flatMap(({ from, to }) => (names.has(from) ? [to] : [])))
}

/** The neighbours of the hits in either direction, those with the most capabilities first. */
function neighboursOf({ catalog, hits }: Fit, visible: Visible): Find[] {
  const { entities } = indexOf(catalog)
  const names = new Set(hits.map(({ entity }) => entity.name))
  const near = joinsOf(catalog).flatMap(({ from, to }) => [
    ...(names.has(from) ? [to] : []),
    ...(names.has(to) ? [from] : []),
  ])
  return [...new Set(near)]
    .flatMap((name) => entities.get(name) ?? [])
    .map((entity) => ({ entity, able: abilitiesOf(catalog, entity, visible) }))
    .filter(({ able }) => able > 0)
    .toSorted((a, b) => b.able - a.able)
    .map(({ entity }) => ({ catalog, entity, evidence: new Map(), named: false }))
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
