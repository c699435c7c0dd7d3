import type { Budget } from '../../execution/budget.ts'
import type { Catalog } from '../../catalog/model.ts'
import { calledIn } from '../../execution/invocation.ts'
import { mostRows } from '../../language/plan/most-rows.ts'
import type { Operation, Plan, PlanNode } from '../../language/plan/plan.ts'

/** A node that changes data: what the plan shows and what its run must stay within. */
export interface EffectBound {
  readonly node: string
  readonly capability: string
  readonly catalog: string
  /** The most calls that it may make. */
  readonly most: number
  /** It may have more rows than that: none of them is sent then. */
  readonly mayExceed?: true
}

/** Every node of the plan that writes, with the most calls that it may make. */
export function effectsOf(plan: Plan, budget: Budget): EffectBound[] {
  return plan.nodes.flatMap((node) => {
    const capability = capabilityOf(node.operation)
    if (node.effect === 'pure' || node.effect === 'read' || capability === undefined) return []
    const wanted = mostCalls(plan, node)
    const most = Math.min(wanted, budget.effects)
    const catalog = node.entity?.catalog ?? ''
    return [{ node: node.id, capability, catalog, most, ...(wanted > most && { mayExceed: true }) }]
  })
}

/** How messages name a change: `shop.Customer.delete`. */
export function changeName(
  { catalog, capability }: EffectBound,
  { catalogs }: Plan,
  model: (digest: string) => Catalog,
): string {
  const digest = catalogs.find((one) => one.catalog === catalog)?.digest
  return `${catalog}.${digest === undefined ? capability : calledIn({ catalog: model(digest), digest }, capability)}`
}

function capabilityOf(operation: Operation): string | undefined {
  if (operation.kind === 'call') return operation.capability
  return operation.kind === 'each' && operation.body.kind === 'call' ? operation.body.capability : undefined
}

function mostCalls(plan: Plan, { operation }: PlanNode): number {
  return operation.kind === 'each' ? (mostRows(plan, operation.source) ?? Infinity) : 1
}
