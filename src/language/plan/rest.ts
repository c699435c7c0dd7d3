import type { ExactJson, Json } from '../../base/canonical.ts'
import type { Type } from '../../catalog/model.ts'
import { keptJson } from '../../catalog/values/exact.ts'
import { recordOf } from '../../base/json.ts'
import { digestOf } from './digest.ts'
import type { Argument, Operand, Plan, PlanNode } from './plan.ts'

/** What one call of a loop was filled with. */
export interface FilledCall {
  /** Text by key slot. */
  readonly identity?: Readonly<Record<string, string>>
  readonly arguments: Readonly<Record<string, ExactJson>>
}

/** The call as JSON can hold it: `restOf` gives it the same values. */
export function keptCall<Call extends FilledCall>(
  call: Call,
): Call & { readonly arguments: Readonly<Record<string, Json>> } {
  const given = Object.entries(call.arguments).map(([name, held]) => [name, keptJson(held)] as const)
  return { ...call, arguments: recordOf(given) }
}

const TEXT: Type = { kind: 'string', semantics: 'short' }

/**
 * The plan of exactly these calls of a loop: its values as literal rows, and the loop's call over them. It reads nothing
 * again, so that neither changed rows nor their order can make it another set of calls. Undefined if the node is no loop of calls.
 */
export function restOf(plan: Plan, id: string, calls: readonly FilledCall[]): Plan | undefined {
  const node = plan.nodes.find((one) => one.id === id)
  if (node?.operation.kind !== 'each' || node.operation.body.kind !== 'call') return undefined
  const { capability, arguments: slots } = node.operation.body
  const value = calls.map((call) => {
    const { identity = {}, arguments: given } = keptCall(call)
    return { identity, arguments: given }
  })
  const fromRow = (part: string, name: string, type: Type): Argument => {
    const path = [part, name]
    const held: Operand = { kind: 'cursor', path, text: `_.${path.join('.')}` }
    return { name, type, operand: type.kind === 'json' ? { kind: 'integer', value: held } : held }
  }
  const rows: PlanNode = {
    id: 'n1',
    span: node.span,
    effect: 'pure',
    inputs: [],
    shape: 'many',
    operation: { kind: 'data', value: { kind: 'literal', value } },
  }
  const loop: PlanNode = {
    ...node,
    id: 'n2',
    inputs: [rows.id],
    operation: {
      kind: 'each',
      source: rows.id,
      body: {
        kind: 'call',
        capability,
        identity: Object.keys(calls[0]?.identity ?? {}).map((slot) => fromRow('identity', slot, TEXT)),
        arguments: slots.map(({ name, type }) => fromRow('arguments', name, type)),
      },
    },
  }
  const nodes = [rows, loop]
  const label = plan.returns.find((root) => root.node === id)?.label ?? node.label ?? capability
  const returns = [{ label, node: loop.id }]
  const catalogs = plan.catalogs.filter(({ catalog }) => catalog === node.entity?.catalog)
  const flows = plan.flows.filter((flow) => flow.node === id).map((flow) => ({ ...flow, node: loop.id }))
  return {
    version: 1,
    nodes,
    returns,
    catalogs,
    digest: digestOf(nodes, returns, catalogs),
    flows,
    readFlows: [],
  }
}
