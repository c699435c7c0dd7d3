import type { Fix } from '../../../base/diagnostic.ts'
import { print } from '../../syntax/print.ts'
import type { Value } from '../../syntax/tree.ts'
import type { Want } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { freeLabel } from './rows-as-value.ts'

type List = Extract<Value, { kind: 'list' }>

/**
 * The fix of a list for a slot of one value: one text where the catalog says that commas separate its parts, else a loop that
 * calls once for each. Undefined inside a loop, for an update, and for long texts and objects.
 */
export function severalFix(context: Context, list: List, want: Want): Fix | undefined {
  const { type, description = '' } = want
  if (list.items.length === 0 || (type.kind === 'string' && type.semantics !== 'short')) return undefined
  if (type.kind === 'object' || type.kind === 'union' || type.kind === 'blob') return undefined
  if (type.kind === 'string' && /\bcomma[- ]?(?:separated|delimited)\b/i.test(description)) {
    const parts = list.items.map(textOf)
    if (!parts.every((part) => part !== undefined)) return undefined
    return { edits: [{ span: list.span, text: JSON.stringify(parts.join(',')) }] }
  }
  if (context.cursor || want.once) return undefined
  const label = freeLabel(context, ['values', 'items', 'several'])
  const [start, loop] = [context.statementStart(), context.expressionStart()]
  const bound = print({ bindings: [], roots: [{ kind: 'literal', value: list, span: list.span }] })
  return {
    edits: [
      { span: { start, end: start }, text: `${label} = ${bound}\n` },
      { span: { start: loop, end: loop }, text: `${label} => ` },
      { span: list.span, text: '_' },
    ],
  }
}

/** A value as it stands in a list that commas separate; undefined where it is no plain value. */
function textOf(value: Value): string | undefined {
  if (value.kind === 'text') return value.value.includes(',') ? undefined : value.value
  return value.kind === 'bare' || value.kind === 'number' ? value.text : undefined
}
