import type { Place, Problem, Span } from '../../../base/diagnostic.ts'
import type { Capability } from '../../../catalog/model.ts'
import { related, standsOut } from '../../../base/suggest.ts'
import type { Expression, Operator, Value } from '../../syntax/tree.ts'
import type { CheckedNode, CheckedValue, Rows, Target, Want } from './checked.ts'
import type { Scope } from './scope.ts'

/** The state that every part of the check shares. */
export interface Context {
  readonly scope: Scope
  /** Holes and `..` are allowed: the program is a row of a teaching table. */
  readonly teaching: boolean
  /** Labels bound so far; null where the bound expression has problems, so that its uses report nothing more. */
  readonly labels: ReadonlyMap<string, CheckedNode | null>
  /** Every label of the program. */
  readonly allLabels: ReadonlySet<string>
  /** Whether this is the label being bound. In its own value the name is plain text. */
  readonly isBeingBound: (label: string) => boolean
  /** The offset of the statement being checked. */
  readonly statementStart: () => number
  /** The offset of its expression, after `label =`. */
  readonly expressionStart: () => number
  /** The operator of the condition whose value is checked. */
  readonly comparing?: Operator
  /** The rows behind `_`, on the right side of `=>`. */
  readonly cursor?: Rows
  /**
   * Lists a problem until the list is full. A function is called only if there is room: names near to a wrong one cost time.
   * Checks named `refuses…` return true after a report, and report nothing if they return false.
   */
  readonly report: (found: Problem | (() => Problem)) => void
  /** Values and expressions nest; these callbacks break the import cycle. */
  readonly checkValue: (context: Context, value: Value, want: Want) => CheckedValue | undefined
  readonly checkExpression: (context: Context, expression: Expression) => CheckedNode | undefined
}

/** The context with every report tagged with the symbol of the entity or of its capability. */
export function speakingOf(context: Context, { catalog, entity }: Target, capability?: Capability): Context {
  return withReports(context, (problem) => {
    const { space } = context.scope
    const exposed = problem.about ? undefined : space.exposureOf(catalog.id, entity.name)
    const symbol = exposed && ((capability && space.methodSymbol(exposed, capability.name)) ?? exposed.symbol)
    return symbol === undefined ? problem : { ...problem, about: [symbol] }
  })
}

/** The context with every report changed. */
export function withReports(context: Context, change: (problem: Problem) => Problem): Context {
  const report: Context['report'] = (found) =>
    context.report(() => change(typeof found === 'function' ? found() : found))
  return { ...context, report }
}

/** Problems reported for one program. */
export const MAX_PROBLEMS = 20
/** Names listed in one message. */
const MAX_LISTED = 12

/** The span with the nearest valid names and, if one of them clearly matches, a fix. */
export function nameAt(span: Span, wrong: string, options: Iterable<string>): Place {
  const names = [...options]
  const near = related(wrong, names)
  const [first] = near
  if (first === undefined) return { span }
  const best = sameButForm(first, wrong) ? first : standsOut(wrong, names)
  return best === undefined
    ? { span, nearest: near }
    : { span, nearest: near, fix: { edits: [{ span, text: best }] } }
}

/** Like the above; the only name that shares words with the wrong one is a fix as well: `state_name` for `state`. */
export function kinAt(span: Span, wrong: string, options: Iterable<string>): Place {
  const place = nameAt(span, wrong, options)
  const [only, more] = place.nearest ?? []
  if (place.fix || only === undefined || more !== undefined) return place
  return { ...place, fix: { edits: [{ span, text: only }] } }
}

/** Whether the names differ only in case and separators. */
function sameButForm(a: string, b: string): boolean {
  return plain(a) === plain(b)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '')
}

/** The names in a message: quoted, each with its remark, at most twelve. */
export function listed(names: readonly string[], remarks: readonly string[] = []): readonly string[] {
  const quoted = names.slice(0, MAX_LISTED).map((name, index) => `\`${name}\`${remarks[index] ?? ''}`)
  return names.length > MAX_LISTED ? [...quoted, `… (${names.length - MAX_LISTED} more)`] : quoted
}
