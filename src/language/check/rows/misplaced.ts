import type { Fix } from '../../../base/diagnostic.ts'
import { fieldsOf } from '../../../catalog/lookup.ts'
import type { Predicate, Value } from '../../syntax/tree.ts'
import type { Target } from '../model/checked.ts'

/** The conditions in one pair of braces, which end before `end`. */
export interface Braces {
  readonly predicates: readonly Predicate[]
  readonly end: number
}

const LIMITS = /^(?:limit|first|take|top|count|max|max_results|page_size|per_page|n)$/i
const SORTS = /^(?:sort|sort_by|order|order_by|orderby|sortby)$/i
/** `price__gte` and `price_gte` of other libraries. */
const SUFFIXED = /^(.+?)__?(gte|gt|lte|lt|ne|in|contains|icontains)$/
const SUFFIX_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['gte', '>='],
  ['gt', '>'],
  ['lte', '<='],
  ['lt', '<'],
  ['ne', '!='],
  ['in', '='],
  ['contains', '~'],
  ['icontains', '~'],
])

/** The fix for a condition on an unknown name that is an operator or a comparison of other languages. */
export function misplacedFix(target: Target, predicate: Predicate, braces: Braces): Fix | undefined {
  const [name, more] = predicate.field.names
  const { value } = predicate
  if (!name || more || !value) return undefined
  if (LIMITS.test(name.text) && value.kind === 'number')
    return moved(predicate, braces, `.${/page/i.test(name.text) ? 'page_size' : 'limit'}(${value.text})`)
  if (SORTS.test(name.text)) {
    // The limit moves first, so that the sort comes to stand before it.
    const waits = braces.predicates.some(
      ({ field, value: held }) => LIMITS.test(field.names[0]?.text ?? '') && held?.kind === 'number',
    )
    const sort = waits ? undefined : sortIn(value)
    return sort === undefined ? undefined : moved(predicate, braces, `.sort(${sort})`)
  }
  const [, field = '', word = ''] = SUFFIXED.exec(name.text) ?? []
  const operator = SUFFIX_OPERATORS.get(word)
  if (operator === undefined || !fieldsOf(target.entity).has(field)) return undefined
  return { edits: [{ span: { start: name.span.start, end: value.span.start }, text: field + operator }] }
}

/** `created_at`, `-created_at`, `created_at desc` */
function sortIn(value: Value): string | undefined {
  const text =
    value.kind === 'text' ? value.value : 'text' in value && typeof value.text === 'string' ? value.text : ''
  const [, minus, field = '', direction] =
    /^(-?)([A-Za-z_][\w.]*)(?:[ :]+(asc|desc))?$/i.exec(text.trim()) ?? []
  if (field === '') return undefined
  const order = minus === '-' ? 'desc' : direction?.toLowerCase()
  return order === undefined ? field : `${field}, ${order}`
}

/** Takes the condition out of the braces and puts an operator behind them. */
function moved(predicate: Predicate, { predicates, end }: Braces, step: string): Fix {
  const at = predicates.indexOf(predicate)
  const [before, after] = [predicates[at - 1], predicates[at + 1]]
  const span = before
    ? { start: before.span.end, end: predicate.span.end }
    : { start: predicate.span.start, end: after?.span.start ?? predicate.span.end }
  return {
    edits: [
      { span, text: '' },
      { span: { start: end, end }, text: step },
    ],
  }
}
