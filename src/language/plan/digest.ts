import { canonicalJson, isRecord, keysInOrder, quoted } from '../../base/canonical.ts'
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
  return sha256(
    appended('', { version: 1, nodes: meaning, returns: returns.map(({ node }) => node), catalogs }),
  )
}

/** What an operation does: equal for two that do the same. */
export function meaningOf(operation: Operation): string {
  return appended('', operation)
}

/**
 * The text, and behind it canonical JSON of what a part of a plan means. Operands carry the program's spelling for messages:
 * it means nothing. Types follow from the catalogs' digests and the names beside them. Literals are what they are, whatever
 * their keys are called.
 */
function appended(text: string, part: unknown): string {
  if (typeof part === 'string') return text + quoted(part)
  if (!isRecord(part)) return text + (JSON.stringify(part) ?? 'null')
  if (part['kind'] === 'literal') return text + canonicalJson(part)
  let separator = ''
  let written = text
  if (Array.isArray(part)) {
    written += '['
    for (const held of part) {
      written = appended(written + separator, held)
      separator = ','
    }
    return `${written}]`
  }
  written += '{'
  const isHole = (part['kind'] === 'node' || part['kind'] === 'cursor') && 'path' in part
  for (const key of keysInOrder(part)) {
    const held = part[key]
    if (held === undefined || key === 'type' || (isHole && key === 'text')) continue
    // Outside of literals every key is one of ours: nothing in it needs an escape.
    written = appended(written + `${separator}"${key}":`, held)
    separator = ','
  }
  return `${written}}`
}
