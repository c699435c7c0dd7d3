import type { Plan, PlanNode } from './plan.ts'

/** Data that flows from a read of one catalog into a write of another: through labels, text, loops and computed rows. */
export function flowsOf(nodes: readonly PlanNode[], catalogs: Plan['catalogs']): Plan['flows'] {
  if (catalogs.length < 2) return []
  const origins = new Map<string, ReadonlySet<string>>()
  const flows: { from: string; to: string; node: string }[] = []
  for (const node of nodes) {
    const incoming = new Set(node.inputs.flatMap((input) => [...(origins.get(input) ?? [])]))
    const own = node.entity?.catalog
    if (own !== undefined && (node.effect === 'write' || node.effect === 'side_effect')) {
      for (const from of [...incoming].toSorted())
        if (from !== own) flows.push({ from, to: own, node: node.id })
    }
    origins.set(node.id, own === undefined ? incoming : new Set([...incoming, own]))
  }
  return flows
}
