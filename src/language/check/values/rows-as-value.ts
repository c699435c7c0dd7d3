import type { Fix, Span } from '../../../base/diagnostic.ts'
import { oneLine } from '../../../base/text/one-line.ts'
import { problem } from '../../problems.ts'
import { parse } from '../../syntax/parse.ts'
import { print } from '../../syntax/print.ts'
import type { Value } from '../../syntax/tree.ts'
import type { Want } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { lookUpEntity, SYMBOL } from '../model/resolve.ts'

/** The longest expression that a message repeats, in characters. */
const MAX_SHOWN = 60
const OPENED = /^([A-Za-z_]\w*)[ \t]*[({[~.]/

/**
 * Reports unquoted text that is an expression in the place of a value, as in `customer=e1{tier=gold}.singleton()`, with the
 * line that binds it. Sent as text it would be taken for an id.
 */
export function refusesRowsText(
  context: Context,
  { kind, text, span }: Extract<Value, { kind: 'bare' | 'path' }>,
  want: Want,
): boolean {
  const name = OPENED.exec(text)?.[1]
  if (name === undefined || !namesRows(context, name)) return false
  // `Order.pdf` may be a text; `e2.id` is neither a text nor an id.
  if (kind === 'path' && isText(want) && !SYMBOL.test(name)) return false
  const rowsEnd = endOfRows(text)
  // `c[0]` reads a label as other languages do; `issue(s) to fix` is a text.
  if (rowsEnd === undefined && (!context.labels.has(name) || /\s/.test(text))) return false
  report(context, { text, span, rowsEnd }, want)
  return true
}

/** Reports `e1{tier=gold}` in the place of a value. It parses as a variant of a union; none has this name. */
export function refusesRowsBraces(
  context: Context,
  { name, entries, span }: Extract<Value, { kind: 'constructor' }>,
  want: Want,
): boolean {
  if (!namesRows(context, name.text)) return false
  const predicates = entries.map((entry) => ({
    field: { names: [entry.name], span: entry.name.span },
    operator: '=' as const,
    value: entry.value,
    span: entry.span,
  }))
  const head = { kind: 'query' as const, entity: name, predicates, span }
  const text = print({ bindings: [], roots: [{ kind: 'rows', head, segments: [], span }] })
  report(context, { text, span, rowsEnd: text.length }, want)
  return true
}

function isText({ type, brands }: Want): boolean {
  return type.kind === 'string' && brands.length === 0
}

function namesRows(context: Context, name: string): boolean {
  return context.labels.has(name) || lookUpEntity(context.scope, name).kind === 'found'
}

/**
 * The end of the rows in the text of an expression, and the start of its last step (if that is only a name); undefined for
 * other text.
 */
function endOfRows(text: string): number | undefined {
  const { program, problems } = parse(text)
  const [root, ...more] = program.roots
  if (problems.length > 0 || more.length > 0 || program.bindings.length > 0 || root?.kind !== 'rows')
    return undefined
  const last = root.segments.at(-1)
  if (!last && root.head.kind === 'name') return undefined
  return last?.kind === 'step' && !last.predicates ? last.span.start : text.length
}

interface RowsText {
  readonly text: string
  readonly span: Span
  /** The end of the rows in the text; absent if no fix is known. */
  readonly rowsEnd: number | undefined
}

function report(context: Context, { text, span, rowsEnd }: RowsText, want: Want): void {
  const fix = rowsEnd === undefined ? {} : { fix: boundBefore(context, text, span, rowsEnd) }
  context.report(
    problem('rows_as_value', { text: oneLine(text, MAX_SHOWN), slot: want.name }, { span, ...fix }),
  )
}

/** The first of the names that means nothing yet; `it` if all do. */
export function freeLabel(context: Context, names: readonly string[]): string {
  const isFree = (name: string) => !namesRows(context, name) && !context.allLabels.has(name)
  return names.find(isFree) ?? 'it'
}

/** Binds the rows on a line of their own and uses the label in their place. */
function boundBefore(context: Context, text: string, span: Span, rowsEnd: number): Fix {
  const start = context.statementStart()
  const label = freeLabel(context, ['one', 'found', 'needed'])
  return {
    edits: [
      { span: { start, end: start }, text: `${label} = ${text.slice(0, rowsEnd)}\n` },
      { span, text: label + text.slice(rowsEnd) },
    ],
  }
}
