import { failed, ok } from '../../base/diagnostic.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { entityNameOf, entityOf, type Invocation, whereOf } from '../invocation.ts'
import { onlyFields } from '../reading.ts'
import { getRow } from '../source.ts'
import { fillArguments, identityOf } from '../read/operand.ts'
import { columnsOf, decodeRow } from '../http/response/decode.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import type { LiveRow } from '../row.ts'
import { capabilityOf, catalogOf } from './node.ts'

/** One row by its identity. */
export async function runGet(
  operation: Extract<Operation, { kind: 'get' }>,
  step: NodeRun,
  cursor?: LiveRow,
): Promise<NodeResult> {
  const { run, node } = step
  const pinned = catalogOf(run, node)
  const { catalog } = pinned
  const capability = capabilityOf(pinned, operation.capability)
  const where = whereOf({ pinned, capability })
  const sources = { run, ...(cursor && { cursor }) }
  const slots = fillArguments(operation.identity, catalog, where, sources)
  const given = fillArguments(operation.arguments, catalog, where, sources)
  if (!slots.ok || !given.ok)
    return failed([...(slots.ok ? [] : slots.problems), ...(given.ok ? [] : given.problems)])
  const identity = identityOf(slots.value)
  if (operation.unread && identity) return keyRow(identity, { pinned, capability })
  const got = await getRow(run, {
    pinned,
    capability,
    ...(identity && { identity }),
    arguments: given.value,
    needs: onlyFields(operation),
  })
  if (!got.ok) return got
  for (const found of got.problems ?? []) step.warn(found)
  return ok({
    entity: entityNameOf({ pinned, capability }),
    columns: columnsOf(entityOf({ pinned, capability }), [got.row]),
    rows: [got.row],
    missing: got.missing,
  })
}

/** The row of a key, with nothing but it. */
function keyRow(
  identity: Readonly<Record<string, string>>,
  invocation: Pick<Invocation, 'pinned' | 'capability'>,
): NodeResult {
  const entity = entityOf(invocation)
  const decoded = decodeRow(
    {},
    { catalog: invocation.pinned.catalog, entity, requested: identity, ambient: new Map() },
  )
  if (!('row' in decoded)) throw new Error(`a row of ${entity.name} is not made of its key`)
  const rows = [decoded.row]
  return ok({ entity: entityNameOf(invocation), columns: columnsOf(entity, rows), rows, missing: null })
}
