import { everyItem } from './digest.ts'
import type { Plan, PlanNode } from './plan.ts'

/**
 * A limit right behind a read that nobody else uses becomes the read's own: it then stops asking for pages. The read takes
 * the limit's place, label and all.
 */
export function withLimits(
  nodes: readonly PlanNode[],
  returns: Plan['returns'],
): Pick<Plan, 'nodes' | 'returns'> {
  const uses = new Map<string, number>()
  const use = (id: string) => uses.set(id, (uses.get(id) ?? 0) + 1)
  for (const node of nodes) node.inputs.forEach(use)
  for (const { node } of returns) use(node)
  const merged = new Map<string, PlanNode>()
  const gone = new Map<string, string>()
  const rename = (id: string): string => {
    const next = gone.get(id)
    return next === undefined ? id : rename(next)
  }
  for (const node of nodes) {
    const { operation } = node
    if (operation.kind !== 'limit') continue
    const source = rename(operation.source)
    const read = merged.get(source) ?? nodes.find(({ id }) => id === source)
    if (!read || uses.get(source) !== 1) continue
    if (read.operation.kind !== 'query' && read.operation.kind !== 'relation') continue
    const limit = Math.min(operation.count, read.operation.limit ?? operation.count)
    const label = node.label ?? read.label
    merged.set(read.id, {
      ...read,
      ...(label !== undefined && { label }),
      operation: { ...read.operation, limit },
    })
    gone.set(node.id, read.id)
    // Whoever used the limit now uses the read.
    uses.set(read.id, uses.get(node.id) ?? 0)
  }
  return {
    nodes: nodes
      .filter(({ id }) => !gone.has(id))
      .map((node) => redirected(merged.get(node.id) ?? node, rename)),
    returns: returns.map(({ label, node }) => ({ label, node: rename(node) })),
  }
}

/** The node with every id that it names given anew: in `source`, and in operands that read a node. */
export function redirected(node: PlanNode, rename: (id: string) => string): PlanNode {
  const { id, inputs, operation } = node
  return { ...node, id: rename(id), inputs: inputs.map(rename), operation: inside(operation, rename) }
}

function inside<T>(value: T, rename: (id: string) => string): T
function inside(value: unknown, rename: (id: string) => string): unknown {
  if (Array.isArray(value)) return everyItem(value, (item) => inside(item, rename))
  if (value === null || typeof value !== 'object') return value
  const kind = 'kind' in value ? value.kind : undefined
  if (kind === 'literal') return value
  if (kind === 'node' && 'node' in value) return { ...value, node: rename(String(value.node)) }
  const renamed: Record<string, unknown> = {}
  let same = true
  for (const [key, held] of Object.entries(value) as [string, unknown][]) {
    renamed[key] = key === 'source' && typeof held === 'string' ? rename(held) : insideKey(key, held, rename)
    if (renamed[key] !== held) same = false
  }
  return same ? value : renamed
}

/** Names in a type are no node's. */
function insideKey(key: string, held: unknown, rename: (id: string) => string): unknown {
  return key === 'type' ? held : inside(held, rename)
}
