import { changeLine, changesOf } from '../../catalog/changes.ts'
import type { CatalogSet } from '../../catalog/lookup.ts'
import type { SessionRecord } from '../../session/record.ts'
import { livePicks } from '../../session/reuse.ts'
import type { Models } from '../memory/models.ts'

const MAX_LINES = 20

/** What changed of the entities that a session was taught: one line each; none of a catalog whose old model is lost. */
export async function changedLines(
  models: Models,
  record: SessionRecord,
  set: CatalogSet,
  catalogs: readonly string[],
): Promise<readonly string[]> {
  const picks = livePicks(record.waves).filter(({ catalog }) => catalogs.includes(catalog))
  const read = await models.read(picks, set)
  if (!read.ok) return []
  const seen = new Set<string>()
  const lines = picks.flatMap(({ catalog, digest, entities }) => {
    const now = set.byId.get(catalog)?.catalog
    const then = read.value.held.get(digest)
    if (!now || !then) return []
    return changesOf(then, now)
      .filter(({ entity }) => entities.includes(entity))
      .map((change) => `${catalog}:${changeLine(change)}`)
      .filter((line) => !seen.has(line) && seen.add(line))
  })
  return lines.slice(0, MAX_LINES)
}
