import type { Json } from '../../base/canonical.ts'
import { failed } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Type } from '../../catalog/model.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { gather } from '../read/gather.ts'
import { hydrate, primaryGet } from '../read/hydrate.ts'
import { referredRow } from '../read/referred.ts'
import { isList, isRecord, walk } from '../../base/json.ts'
import { type LiveRow, rowValue } from '../row.ts'
import { problem } from '../problems.ts'
import { onlyFields } from '../reading.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import { attributed, reachedTable } from './children.ts'
import { worst } from '../completeness.ts'
import { catalogOf, sourceOf } from './node.ts'

/** From each row to what its reference field names: each id is got once, however many rows name it. */
export async function runReference(
  operation: Extract<Operation, { kind: 'reference' }>,
  step: NodeRun,
): Promise<NodeResult> {
  const { run, node } = step
  const source = sourceOf(step, operation.source)
  const pinned = catalogOf(run, node)
  const { catalog } = pinned
  const index = indexOf(catalog)
  const parentEntity = index.entities.get(source.entity?.entity ?? '')
  const entity = index.entities.get(node.entity?.entity ?? '')
  if (!parentEntity || !entity)
    throw new Error(`${node.id} follows a reference between rows of unknown entities`)
  const filled = await hydrate(run, {
    pinned,
    entity: parentEntity,
    rows: source.rows,
    fields: [operation.field],
  })
  for (const found of filled.problems) step.warn(found)
  warnOfMissing(step, operation.field, filled.rows)

  const field = parentEntity.fields.find(({ name }) => name === operation.field)
  const get = primaryGet(catalog, entity)
  const wanted = filled.rows.flatMap((parent) => {
    const value = rowValue(parent, [operation.field])
    const raw = field && walk(parent.raw, field.path)
    return items(isEmbedded(raw, field?.type) ? raw : value).map((target) => ({ parent, target }))
  })
  if (wanted.length > 0 && !get && wanted.some(({ target }) => !isRecord(target))) {
    return failed([problem('no_get', { entity: entity.name, catalog: catalog.id })])
  }
  const gathered = await gather(wanted, {
    keyOf: ({ target }) => target,
    read: async ({ target }) => {
      const got = await referredRow(run, { pinned, entity, get }, target, {
        field: operation.field,
        needs: onlyFields(operation),
      })
      return got.ok ? { ...got, value: [got.value] } : got
    },
    what: `\`${operation.field}\``,
    pace: run.world.pace,
  })
  const rows = attributed(
    wanted.map(({ parent }) => parent),
    gathered.results,
  )
  const missing = worst(filled.missing, gathered.missing)
  return reachedTable({ pinned, entity }, { ...gathered, rows, missing }, step)
}

function items(value: Json | undefined): readonly Json[] {
  return value === undefined || value === null
    ? []
    : isList(value)
      ? value.filter((item) => item !== null)
      : [value]
}

/** Does the answer hold the referred row itself, not only its id? */
function isEmbedded(raw: Json | undefined, type: Type | undefined): raw is Json {
  return type?.kind === 'reference' && isRecord(raw)
}

/** A reference that is null names nothing; a row that lacks the field altogether cannot be followed. */
function warnOfMissing(step: NodeRun, field: string, rows: readonly LiveRow[]): void {
  const lost = rows.filter((row) => rowValue(row, [field]) === undefined).length
  if (lost > 0) step.warn(problem('parent_without_value', { relation: field, rows: lost, field }))
}
