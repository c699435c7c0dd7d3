import type { ExactJson } from '../../base/canonical.ts'
import { failed } from '../../base/diagnostic.ts'
import type { Entity, Relation } from '../../catalog/model.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { type Missing, stoppedBy, throughout, upTo, worst } from '../completeness.ts'
import { type KnownFilter, passingRows } from '../read/filter.ts'
import { joinFilters } from '../read/joined.ts'
import { hydrate, type Hydrated } from '../read/hydrate.ts'
import { isRecord } from '../../base/json.ts'
import { problem } from '../problems.ts'
import { decodeRow } from '../http/response/decode.ts'
import { embeddedChildren, isCut } from '../http/response/embedded.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import type { LiveRow } from '../row.ts'
import { attributed, reachedName, reachedTable, type Reached } from './children.ts'

/** One relation being walked from known parents, with what the program asks of the children. */
export interface Walking {
  readonly operation: Extract<Operation, { kind: 'relation' }>
  readonly step: NodeRun
  readonly relation: Relation
  readonly target: Reached
  readonly parents: readonly LiveRow[]
  readonly given: ReadonlyMap<string, ExactJson>
  readonly filters: readonly KnownFilter[]
}

/** Children that stand in the parents' own answers; ids and thin rows are completed by the target's get, once conditions and limit have chosen them. */
export async function byAnswer(walking: Walking, parentEntity: Entity): Promise<NodeResult> {
  const { operation, step, relation, target, filters } = walking
  const { pinned, entity } = target
  const say = (row: LiveRow) => childrenOf(row, relation, target)
  let parents: Pick<Hydrated, 'rows' | 'missing'> = { rows: walking.parents, missing: null }
  if (parents.rows.some((row) => say(row) === undefined)) {
    if (relation.via.kind === 'none')
      return failed([problem('relation_unwalkable', { entity: parentEntity.name, relation: relation.name })])
    parents = await refetched(walking, parentEntity, (row) => say(row) === undefined)
  }
  const groups = parents.rows.map((parent) => say(parent) ?? [])
  const stubs = groups.some((group) => group.some(({ raw }) => !isRecord(raw)))
  const provided = stubs ? { provided: [] } : {}
  const filled = await hydrate(step.run, {
    pinned,
    entity,
    rows: attributed(parents.rows, groups),
    fields: filters.flatMap(({ path }) => path.slice(0, 1)),
    ...provided,
  })
  const joined = await joinFilters(
    step.run,
    { entity: reachedName(target), rows: filled.rows, filters },
    step.warn,
  )
  const rows = await passingRows(step.run.world.pace, joined.rows, filters)
  const cut = cutOf(walking, parentEntity, parents.rows, rows.length)
  const missing = worst(parents.missing, filled.missing, throughout(joined.missing), cut)
  const reached = { rows, problems: filled.problems, allFailed: false, missing }
  const isWhole = operation.whole === true || !operation.needs
  const whole = stubs && isWhole ? entity.fields.map(({ name }) => name) : []
  const fills = { fields: [...(operation.needs ?? []), ...whole], ...provided }
  return reachedTable(target, reached, step, { limit: operation.limit, fills })
}

/** The mark of rows whose answers say that the API has more, with a warning unless the program asks for no more than these. */
function cutOf(
  { operation, step, relation }: Walking,
  { name: entity }: Entity,
  parents: readonly LiveRow[],
  rows: number,
): Missing | null {
  const cut = parents.filter((parent) => isCut(parent, relation.via)).length
  if (cut === 0) return null
  const found = problem('list_cut', { entity, relation: relation.name, cut })
  const mark = stoppedBy(found)
  const missing = upTo(operation.limit, rows, parents.length > 1 ? throughout(mark) : mark)
  if (missing) step.warn(found)
  return missing
}

/** The children that were read with the row or stand in its own answer; nothing where neither says anything. */
function childrenOf(
  parent: LiveRow,
  { name, via }: Relation,
  { pinned: { catalog }, entity }: Reached,
): readonly LiveRow[] | undefined {
  const known = parent.children?.get(name)
  if (known) return known
  const ambient = new Map([
    ...(parent.ambient ?? []),
    ...Object.entries(parent.identity ?? {}),
    ...Object.entries(parent.values),
  ])
  return embeddedChildren(parent, name, via)?.flatMap((raw) => {
    const decoded = decodeRow(raw, { catalog, entity, ambient })
    return 'row' in decoded ? [decoded.row] : []
  })
}

async function refetched(
  { step, target, parents }: Walking,
  entity: Entity,
  lacks: (row: LiveRow) => boolean,
): Promise<Pick<Hydrated, 'rows' | 'missing'>> {
  const thin = parents.map((row) => (lacks(row) ? { ...row, values: {} } : row))
  // A row without values lacks every field, so that exactly these are read again.
  const filled = await hydrate(step.run, {
    pinned: target.pinned,
    entity,
    rows: thin,
    fields: entity.fields.map(({ name }) => name),
    provided: [],
  })
  for (const found of filled.problems) step.warn(found)
  const rows = filled.rows.map((row, index) => ({
    ...row,
    values: { ...row.values, ...parents[index]?.values },
  }))
  return { rows, missing: filled.missing }
}
