import type { Operation, Plan } from '../language/plan/plan.ts'

/**
 * The number of rows of a node that the rest of the plan needs: 0 for one page as it comes, two to prove that there is
 * exactly one, all if the plan computes over the rows or runs a body for each.
 */
export function demandsOf(plan: Plan): (node: string) => number {
  const demands = new Map<string, number>()
  const raise = (node: string, rows: number) => demands.set(node, Math.max(demands.get(node) ?? 0, rows))
  // Consumers come after their inputs: going backwards, the demand of each is known before it is passed on.
  for (const node of plan.nodes.toReversed()) {
    const source = 'source' in node.operation ? node.operation.source : undefined
    for (const input of node.inputs) {
      raise(input, input === source ? rowsNeeded(node.operation, demands.get(node.id) ?? 0) : 2)
    }
  }
  return (node) => demands.get(node) ?? 0
}

function rowsNeeded(operation: Operation, demand: number): number {
  switch (operation.kind) {
    case 'project':
      return demand
    case 'limit':
      return operation.count
    case 'singleton':
    case 'call':
      return 2
    case 'filter':
    case 'sort':
    case 'aggregate':
    case 'render':
    case 'each':
    case 'relation':
    case 'reference':
    case 'reverse':
      return Infinity
    case 'query':
    case 'get':
    case 'data':
    case 'page':
      return 0
  }
}
