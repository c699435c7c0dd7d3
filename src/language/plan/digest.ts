import { canonicalJson } from '../../base/canonical.ts'
import { sha256 } from '../../base/hash.ts'
import type { Plan, PlanNode } from './plan.ts'

/** What the program does, without the names and places by which it says so. */
export function digestOf(
  nodes: readonly PlanNode[],
  returns: Plan['returns'],
  catalogs: Plan['catalogs'],
): string {
  const meaning = nodes.map(({ label: _label, span: _span, ...node }) => withoutText(node))
  return sha256(
    canonicalJson({ version: 1, nodes: meaning, returns: returns.map(({ node }) => node), catalogs }),
  )
}

/** Operands carry the program's spelling for messages: it means nothing. */
export function withoutText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutText)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value)
  const isOperand = 'kind' in value && (value.kind === 'node' || value.kind === 'cursor') && 'path' in value
  return Object.fromEntries(
    entries.flatMap(([key, held]) => (isOperand && key === 'text' ? [] : [[key, withoutText(held)]])),
  )
}
