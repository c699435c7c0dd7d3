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

/**
 * Operands carry the program's spelling for messages: it means nothing. Types follow from the catalogs' digests and the names
 * beside them. Literals are what they are, whatever their keys are called. What has nothing to lose is the same object.
 */
export function withoutText(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return everyItem(value, withoutText)
  if ('kind' in value && value.kind === 'literal') return value
  const isHole = 'kind' in value && (value.kind === 'node' || value.kind === 'cursor') && 'path' in value
  const meant: Record<string, unknown> = {}
  let same = true
  for (const [key, held] of Object.entries(value)) {
    if (key === 'type' || (isHole && key === 'text')) {
      same = false
      continue
    }
    const kept = withoutText(held)
    if (kept !== held) same = false
    meant[key] = kept
  }
  return same ? value : meant
}

/** The list with every item changed; the same list where none is. */
export function everyItem(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = items.map(change)
  return changed.every((item, index) => item === items[index]) ? items : changed
}
