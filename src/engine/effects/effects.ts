import type { Budget } from '../../execution/budget.ts'
import type { Operation, Plan, PlanNode } from '../../language/plan/plan.ts'

/** A node that changes data: what the plan shows and what its run must stay within. */
export interface EffectBound {
  readonly node: string
  readonly capability: string
  readonly catalog: string
  /** The most calls that it may make. */
  readonly most: number
}

/** Every node of the plan that writes, with the most calls that it may make. */
export function effectsOf(plan: Plan, budget: Budget): EffectBound[] {
  return plan.nodes.flatMap((node) => {
    const capability = capabilityOf(node.operation)
    if (node.effect === 'pure' || node.effect === 'read' || capability === undefined) return []
    return [
      { node: node.id, capability, catalog: node.entity?.catalog ?? '', most: mostCalls(plan, node, budget) },
    ]
  })
}

function capabilityOf(operation: Operation): string | undefined {
  if (operation.kind === 'call') return operation.capability
  return operation.kind === 'each' && operation.body.kind === 'call' ? operation.body.capability : undefined
}

function mostCalls(plan: Plan, { operation }: PlanNode, budget: Budget): number {
  return operation.kind === 'each'
    ? Math.min(budget.effects, mostRows(plan, operation.source) ?? budget.effects)
    : 1
}

/** The most rows that a node can give, if the plan bounds them. */
function mostRows(plan: Plan, id: string): number | undefined {
  const node = plan.nodes.find((candidate) => candidate.id === id)
  if (!node) return undefined
  if (node.shape === 'one') return 1
  const { operation } = node
  switch (operation.kind) {
    case 'limit':
      return Math.min(operation.count, mostRows(plan, operation.source) ?? operation.count)
    case 'query':
      return operation.limit
    case 'data':
      return operation.value.kind === 'literal' && Array.isArray(operation.value.value)
        ? operation.value.value.length
        : undefined
    case 'project':
    case 'filter':
    case 'sort':
    case 'singleton':
      return mostRows(plan, operation.source)
    case 'get':
    case 'relation':
    case 'reference':
    case 'reverse':
    case 'call':
    case 'each':
    case 'aggregate':
    case 'render':
    case 'page':
      return undefined
  }
}
