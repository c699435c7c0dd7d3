import type { Fix } from '../../../base/diagnostic.ts'
import { fieldsOf, requiredOf } from '../../../catalog/lookup.ts'
import { problem } from '../../problems.ts'
import type { CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { capabilitiesOf, symbolOf } from '../model/resolve.ts'
import { refusesUnfetched } from '../values/fetched.ts'

const LOOKS_UP = /^(?:get|find|fetch|list|look-?up|read|search)\b/i

/** Reports nodes without readable rows: a write that returns none, or an entity that no call can fetch. */
export function refusesRowless(context: Context, node: CheckedNode): boolean {
  return refusesRowlessWrite(context, node) || refusesUnfetched(context, node)
}

/** Reports a write that returns no rows. */
export function refusesRowlessWrite(context: Context, node: CheckedNode): boolean {
  if (!node.rows.nothing) return false
  const name = node.kind === 'label' ? node.label : node.kind === 'call' ? node.capability.label : 'it'
  const read = readFor(context, node)
  context.report(
    problem(
      'write_gives_no_rows',
      { name, ...(read && { instead: `${read.entity}${read.conditions}` }) },
      { span: node.span, ...(read && { fix: read.fix }) },
    ),
  )
  return true
}

/** What a method that only looks up would read, if conditions on fields of the same names read it. */
function readFor(
  context: Context,
  node: CheckedNode,
): { readonly entity: string; readonly conditions: string; readonly fix: Fix } | undefined {
  const { target } = node.rows
  if (node.kind !== 'call' || !target || node.identity.length > 0 || node.source) return undefined
  const { capability, arguments: given, span } = node
  const lists = capabilitiesOf(context.scope, target).some(
    (one) => one.kind === 'query' && requiredOf(one).length === 0,
  )
  const conditions = given.flatMap(({ slot, value }) =>
    value.kind === 'literal' && fieldsOf(target.entity).has(slot.name)
      ? [`${slot.name}=${JSON.stringify(value.value)}`]
      : [],
  )
  if (!lists || !LOOKS_UP.test(capability.label)) return undefined
  if (conditions.length === 0 || conditions.length < given.length) return undefined
  const text = `{${conditions.join(', ')}}`
  return { entity: symbolOf(context.scope, target), conditions: text, fix: { edits: [{ span, text }] } }
}
