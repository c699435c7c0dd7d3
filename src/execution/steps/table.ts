import { failed, ok } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import { columnsOf } from '../http/response/decode.ts'
import { entityNameOf, type Invocation } from '../invocation.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import type { ReadRows } from '../source.ts'
import type { Given } from '../table.ts'

/** What a read gave, as a table; the problems of a read that gave nothing. */
export function toTable(read: ReadRows, invocation: Invocation, warn: NodeRun['warn']): NodeResult {
  if (read.failed) return { ...failed(read.problems), why: read.failed }
  for (const found of read.problems) warn(found)
  const entity = indexOf(invocation.pinned.catalog).entities.get(invocation.capability.entity)
  const table: Given = {
    entity: entityNameOf(invocation),
    columns: entity ? columnsOf(entity, read.rows) : [],
    rows: read.rows,
    missing: read.missing,
    ...(read.continuation && { continuation: read.continuation }),
  }
  return ok(table)
}
