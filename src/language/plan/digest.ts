import { canonicalJson } from '../../base/canonical.ts'
import { sha256 } from '../../base/hash.ts'
import type { Operation, Plan, PlanNode } from './plan.ts'

/** What the program does, without the names and places by which it says so. */
export function digestOf(
  nodes: readonly PlanNode[],
  returns: Plan['returns'],
  catalogs: Plan['catalogs'],
): string {
  const meaning = nodes.map(({ id, effect, inputs, entity, shape, operation }) => {
    return { id, effect, inputs, entity, shape, operation }
  })
  return sha256(meant({ version: 1, nodes: meaning, returns: returns.map(({ node }) => node), catalogs }))
}

/** What an operation does: equal for two that do the same. */
export function meaningOf(operation: Operation): string {
  return meant(operation)
}

/**
 * Canonical JSON of what a part of a plan means. Operands carry the program's spelling for messages: it means nothing. Types
 * follow from the catalogs' digests and the names beside them. Literals are what they are, whatever their keys are called.
 */
function meant(part: unknown): string {
  return kindOf(part) === 'literal' ? canonicalJson(part) : canonicalJson(part, meantUnder)
}

function meantUnder(held: unknown, key: string, holder: object): string | undefined {
  return held === undefined || key === 'type' || (key === 'text' && isHole(holder)) ? undefined : meant(held)
}

function isHole(holder: object): boolean {
  const kind = kindOf(holder)
  return (kind === 'node' || kind === 'cursor') && 'path' in holder
}

function kindOf(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'kind' in part ? part.kind : undefined
}
