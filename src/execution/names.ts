import type { Plan, PlanNode } from '../language/plan/plan.ts'

/**
 * How messages call the nodes of a plan: by the label that the program or its last line gives, else by what the node makes:
 * `Issue` for a read, `Issue.limit` for a step on it.
 */
export function namesOf({ nodes, returns }: Plan): (node: string) => string {
  const returned = new Map(returns.map(({ node, label }) => [node, label]))
  const names = new Map<string, string>()
  for (const node of nodes) names.set(node.id, node.label ?? returned.get(node.id) ?? made(node, names))
  return (node) => names.get(node) ?? node
}

function made({ operation, entity }: PlanNode, names: ReadonlyMap<string, string>): string {
  const source = 'source' in operation && operation.source ? names.get(operation.source) : undefined
  return source === undefined ? (entity?.entity ?? operation.kind) : `${source}.${operation.kind}`
}
