import type { Plan, PlanNode } from './plan.ts'

/** The most rows that a node can give, if the plan bounds them. */
export function mostRows(plan: Plan, id: string): number | undefined {
  const node = plan.nodes.find((candidate) => candidate.id === id)
  if (!node) return undefined
  return node.shape === 'one' ? 1 : mostOf(plan, node)
}

function mostOf(plan: Plan, { operation }: PlanNode): number | undefined {
  switch (operation.kind) {
    case 'limit':
      return Math.min(operation.count, mostRows(plan, operation.source) ?? operation.count)
    case 'query':
    case 'relation':
    case 'page':
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
    case 'reference':
    case 'reverse':
    case 'call':
    case 'each':
    case 'aggregate':
    case 'render':
      return undefined
  }
}
