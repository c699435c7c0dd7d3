import type { Fix, Place } from '../../../base/diagnostic.ts'
import type { Segment, Value } from '../../syntax/tree.ts'

type Written = Extract<Segment, { kind: 'step' | 'call' }>

/** Step names of other query languages, in lower case and without `_`. */
const COUNTS = /^(?:count|len|length|size)$/
const FIRSTS = /^(?:first|one|head|take|top)$/
const SORTS = /^(?:orderby|sortby|order)$/
const COLUMNS = /^(?:select|pick|fields|columns|project)$/
const CONDITIONS = /^(?:where|filter|having)$/
const DISTINCT = /^(?:distinct|unique|uniq)$/
const FUNCTIONS = /^(?:sum|avg|min|max)$/

/** The fix for a step in the idiom of another query language. */
export function idiomFix(segment: Written): Fix | undefined {
  const word = segment.name.text.toLowerCase().replaceAll('_', '')
  const args = segment.kind === 'call' ? segment.arguments : undefined
  const given = args ? args.positional.length + args.named.length : 0
  if (COUNTS.test(word) && given === 0) return instead(segment, 'aggregate(n=count)')
  const by =
    COUNTS.test(word) && given === 1 ? args?.named.find(({ name }) => GROUP.test(name.text)) : undefined
  const groups = by && textOf(by.value)
  if (groups !== undefined) return instead(segment, `group_by(${groups}, n=count)`)
  if (FIRSTS.test(word)) return given === 0 ? instead(segment, 'limit(1)') : renamed(segment, 'limit')
  if (!args || given === 0) return undefined
  if (SORTS.test(word)) return renamed(segment, 'sort')
  if (COLUMNS.test(word) && args.named.length === 0) return bracketed(segment, args.span, '[]')
  if (CONDITIONS.test(word)) {
    const { edits } = bracketed(segment, args.span, '{}')
    return { edits: [...edits, ...args.positional.flatMap(withoutCursor)] }
  }
  const [field, more] = args.positional
  const path = field && !more && args.named.length === 0 ? textOf(field) : undefined
  if (DISTINCT.test(word) && path !== undefined) return instead(segment, `group_by(${path}, n=count)`)
  return FUNCTIONS.test(word) && path !== undefined
    ? instead(segment, `aggregate(${word}=${word}(${path}))`)
    : undefined
}

const GROUP = /^(?:by|key|field|on|column)$/
const DIRECTION = /^(?:order|direction|dir|reverse|desc|descending|ascending)$/

/** `.sort(by=created_at, order=desc)` as `.sort(created_at, desc)`. */
export function sortFix({ arguments: args }: Extract<Segment, { kind: 'call' }>): Fix | undefined {
  const [first, second] = args.positional
  const field = first ?? args.named.find(({ name }) => GROUP.test(name.text))?.value
  const order = args.named.find(({ name }) => DIRECTION.test(name.text))
  const path = field && textOf(field)
  if (path === undefined || second || args.named.length > (first ? 1 : 2)) return undefined
  const word = order === undefined ? 'asc' : textOf(order.value)?.toLowerCase()
  const isDown = word === 'true' ? order?.name.text !== 'ascending' : word?.startsWith('desc') === true
  return { edits: [{ span: args.span, text: `(${path}${isDown ? ', desc' : ''})` }] }
}

/** `.group_by(state).count()` and `.group_by(state).aggregate(…)` with both in one step. */
export function splitGroup(segments: readonly Segment[]): Place | undefined {
  const at = segments.findIndex(
    (segment) =>
      segment.kind === 'call' &&
      /^group_?by$/i.test(segment.name.text) &&
      segment.arguments.positional.length > 0 &&
      segment.arguments.positional.every(isGroupKey) &&
      segment.arguments.named.length === 0,
  )
  const [group, next] = [segments[at], segments[at + 1]]
  if (group?.kind !== 'call' || next?.kind !== 'call') return undefined
  const { name, arguments: args, span } = next
  const start = group.arguments.span.end - 1
  if (COUNTS.test(name.text) && args.positional.length + args.named.length === 0)
    return { span: group.span, fix: { edits: [{ span: { start, end: span.end }, text: ', count)' }] } }
  if (!/^agg(?:regate)?$/.test(name.text)) return undefined
  const inner = { start, end: args.span.start + 1 }
  return { span: group.span, fix: { edits: [{ span: inner, text: ', ' }] } }
}

function isGroupKey(value: Value): boolean {
  return value.kind === 'list' ? value.items.every(isGroupKey) : textOf(value) !== undefined
}

function textOf(value: Value): string | undefined {
  if (value.kind === 'text') return value.value
  return value.kind === 'bare' || value.kind === 'path' ? value.text : undefined
}

/** `_.score > 5`, the row of other languages, as a condition on the field. */
function withoutCursor(value: Value): Fix['edits'] {
  const { start } = value.span
  const isOfRow = (value.kind === 'bare' || value.kind === 'path') && value.text.startsWith('_.')
  return isOfRow ? [{ span: { start, end: start + 2 }, text: '' }] : []
}

/** The text after the dot. */
function instead({ name, span }: Written, text: string): Fix {
  return { edits: [{ span: { start: name.span.start, end: span.end }, text }] }
}

function renamed({ name }: Written, text: string): Fix {
  return { edits: [{ span: name.span, text }] }
}

/** Other brackets around the arguments, and no name before them. */
function bracketed({ span }: Written, args: Written['span'], brackets: string): Fix {
  return {
    edits: [
      { span: { start: span.start, end: args.start + 1 }, text: brackets.charAt(0) },
      { span: { start: args.end - 1, end: args.end }, text: brackets.charAt(1) },
    ],
  }
}
