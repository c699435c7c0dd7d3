import { encodeDate, isRelative } from '../../../catalog/values/date.ts'
import type { Type } from '../../../catalog/model.ts'
import { problem } from '../../problems.ts'
import type { Predicate } from '../../syntax/tree.ts'
import type { Context } from '../model/context.ts'

/**
 * Reports a word for a date that is compared with text or JSON, as in `released>today-7d`, with the date that it means:
 * letter by letter, the condition would always or never hold.
 */
export function refusesDateWord(
  context: Context,
  { operator, value }: Predicate,
  slot: string,
  type: Type,
): boolean {
  const isOrdered = ['<', '<=', '>', '>='].includes(operator)
  if (!isOrdered || (type.kind !== 'string' && type.kind !== 'json') || value?.kind !== 'bare') return false
  const { text, span } = value
  if (!isRelative(text, 'iso8601_date')) return false
  const { now } = context.scope
  const date = now === undefined ? '2024-01-31' : String(encodeDate(text, 'iso8601_date', now)?.value)
  const fix = now === undefined ? {} : { fix: { edits: [{ span, text: `"${date}"` }] } }
  context.report(problem('date_as_text', { word: text, slot: `\`${slot}\``, date }, { span, ...fix }))
  return true
}
