import type { CheckedNode } from './checked.ts'

/** The node without labels and projections: the same rows with all fields. */
export function baseOf(node: CheckedNode): CheckedNode {
  if (node.kind === 'label') return baseOf(node.node)
  return node.kind === 'project' && node.rows.target ? baseOf(node.source) : node
}
