import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { nearest } from '../../base/suggest.ts'
import { type CatalogSet, catalogSet, indexOf } from '../../catalog/lookup.ts'
import type { Catalog } from '../../catalog/model.ts'
import { accessOf } from '../../catalog/served.ts'
import type { CatalogPick, SessionRecord } from '../../session/record.ts'
import { pinnedDigests } from '../../session/reuse.ts'
import { engineProblem } from '../problems.ts'

/** The catalogs that a call decides on, and its picks under their digests. */
interface Followed {
  readonly set: CatalogSet
  readonly picks: readonly CatalogPick[]
}

/**
 * A catalog only moves forward: if a session already holds a later version than this node (during a rollout), the node
 * follows the session. Otherwise old and new nodes would move the session back and forth.
 *
 * @param read the models of the session's waves, by digest
 */
export function follow(
  read: ReadonlyMap<string, Catalog>,
  set: CatalogSet,
  record: SessionRecord | null,
  picks: readonly CatalogPick[],
): Result<Followed> {
  const later = [...pinnedDigests(record?.waves ?? [])].flatMap(([id, digest]) => {
    const own = set.byId.get(id)
    const catalog = read.get(digest)
    return own && catalog && catalog.version > own.catalog.version ? [{ own, digest, catalog }] : []
  })
  if (later.length === 0) return ok({ set, picks })
  const pinned = new Map(set.byId)
  for (const { own, digest, catalog } of later)
    pinned.set(catalog.id, { digest, catalog: { ...catalog, ...accessOf(own.catalog) } })
  return repinned(catalogSet([...pinned.values()]), picks)
}

/** The picks under the digests of the set. Gives `unknown_entity` for each entity that the set does not have. */
function repinned(set: CatalogSet, picks: readonly CatalogPick[]): Result<Followed> {
  const problems: Problem[] = []
  const moved = picks.map((pick) => {
    const held = set.byId.get(pick.catalog)
    if (!held) return pick
    const { entities } = indexOf(held.catalog)
    for (const entity of pick.entities) {
      if (entities.has(entity)) continue
      const close = nearest(entity, entities.keys())
      const params = { api: pick.catalog, entity, nearest: close }
      problems.push(engineProblem('unknown_seed', params, { path: 'seeds', nearest: close }))
    }
    return { ...pick, digest: held.digest }
  })
  return problems.length > 0 ? failed(problems) : ok({ set, picks: moved })
}
