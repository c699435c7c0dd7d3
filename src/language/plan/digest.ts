import { canonicalJson, isObjectOrList, keysInOrder, quoted } from '../../base/canonical.ts'
import { sha256 } from '../../base/hash.ts'
import type { Operation, Plan, PlanNode } from './plan.ts'

/** The meaning of the program, without its names and places. */
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

/** The meaning of an operation: equal for two with the same effect. */
export function meaningOf(operation: Operation): string {
  return appended('', operation)
}

/**
 * The text, and then canonical JSON of a part of a plan. The program's spelling in operands is left out: only messages use
 * it. Types are left out: they follow from the catalogs' digests and the names. Literals are kept whole, whatever their
 * keys are.
 */
function appended(text: string, part: unknown): string {
  if (typeof part === 'string') return text + quoted(part)
  if (!isObjectOrList(part)) return text + (JSON.stringify(part) ?? 'null')
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
    // Outside of literals every key is our own and needs no escape.
    written = appended(written + `${separator}"${key}":`, held)
    separator = ','
  }
  return `${written}}`
}
