import { failed, ok, type Problem } from '../../base/diagnostic.ts'
import type { PinnedCatalog } from '../../catalog/digest.ts'
import type { Entity } from '../../catalog/model.ts'
import type { EntityName } from '../../language/plan/plan.ts'
import type { Gathered } from '../read/gather.ts'
import { upTo, worst } from '../completeness.ts'
import { columnsOf } from '../http/response/decode.ts'
import { hydrate, type Thin } from '../read/hydrate.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import type { LiveRow } from '../row.ts'

/** What stands in for the entity of rows that were reached from others. */
export interface Reached {
  readonly pinned: PinnedCatalog
  readonly entity: Entity
}

/** The entity of reached rows, as tables name it. */
export function reachedName({ pinned, entity }: Reached): EntityName {
  return { catalog: pinned.catalog.id, digest: pinned.digest, entity: entity.name }
}

/** Rows with what they were reached from: as `_` for projections, and as their parent where that was one of several. */
export function attributed(
  parents: readonly LiveRow[],
  groups: readonly (readonly LiveRow[] | undefined)[],
): readonly LiveRow[] {
  return groups.flatMap((group, index) => {
    const parent = parents.length > 1 ? parents[index]?.identity : undefined
    const around = parents[index]
    return (group ?? []).map((row) => {
      const joined = around ? { joined: new Map([...(row.joined ?? []), ['_', around]]) } : {}
      return parent ? { ...row, ...joined, parent } : { ...row, ...joined }
    })
  })
}

/** How reached rows are cut, and what is filled for those that remain. */
interface Cut {
  readonly limit?: number | undefined
  readonly fills?: Pick<Thin, 'fields' | 'provided'>
}

/** The table of reached rows; a failure where every way to them failed. */
export async function reachedTable(
  target: Reached,
  reached: Pick<Gathered<unknown>, 'problems' | 'missing' | 'allFailed'> & {
    readonly rows: readonly LiveRow[]
  },
  step: NodeRun,
  { limit, fills = { fields: [] } }: Cut = {},
): Promise<NodeResult> {
  const { problems, missing, allFailed } = reached
  if (allFailed && reached.rows.length === 0) return failed(problems)
  const kept = reached.rows.slice(0, limit)
  const filled = await hydrate(step.run, { ...target, rows: kept, ...fills })
  for (const found of [...problems, ...filled.problems]) step.warn(found)
  const { rows } = filled
  return ok({
    entity: reachedName(target),
    columns: columnsOf(target.entity, rows),
    rows,
    missing: worst(upTo(limit, reached.rows.length, missing), filled.missing),
  })
}

/** The problems of a failed result, none of a good one. */
export function problemsIn(
  result: { readonly ok: true } | { readonly ok: false; readonly problems: readonly Problem[] },
): readonly Problem[] {
  return result.ok ? [] : result.problems
}
