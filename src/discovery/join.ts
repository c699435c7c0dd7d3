import type { Type } from '../catalog/model.ts'
import type { Hit } from './search.ts'

/** From this place on hits are too weak to speak for others. */
const SPEAKERS = 3

/**
 * Of the other hits, those one step away from the best ones, by relation or by reference: a goal that needs an order
 * needs its customer, too. Entities that no word of the goal touches do not come along.
 */
export function joinedTo(fitting: readonly Hit[], hits: readonly Hit[]): Hit[] {
  const there = new Set(fitting.map(({ entity }) => entity))
  const best = fitting.toSorted((a, b) => b.score - a.score).slice(0, SPEAKERS)
  const targets = new Map(best.map((hit) => [hit.catalog, new Set<string>()]))
  for (const { catalog, entity } of best) {
    const names = targets.get(catalog)
    for (const { target } of entity.relations) names?.add(target)
    for (const { type } of entity.fields) for (const name of referred(type)) names?.add(name)
  }
  return hits.filter(
    ({ catalog, entity, evidence }) =>
      evidence.size > 0 && !there.has(entity) && targets.get(catalog)?.has(entity.name) === true,
  )
}

function referred(type: Type): readonly string[] {
  if (type.kind === 'reference') return [type.entity]
  return type.kind === 'array' ? referred(type.items) : []
}
