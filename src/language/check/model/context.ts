import type { Place, Problem, Span } from '../../../base/diagnostic.ts'
import type { Capability } from '../../../catalog/model.ts'
import { related, standsOut } from '../../../base/suggest.ts'
import type { Expression, Value } from '../../syntax/tree.ts'
import type { CheckedNode, CheckedValue, Rows, Target, Want } from './checked.ts'
import type { Scope } from './scope.ts'

/** What every part of the check sees. */
export interface Context {
  readonly scope: Scope
  /** Holes and `..` are allowed: the program is a row of a teaching table. */
  readonly teaching: boolean
  /** What is bound above; null: to something that is wrong itself, so that its uses say nothing more. */
  readonly labels: ReadonlyMap<string, CheckedNode | null>
  /** Every label of the program. */
  readonly allLabels: ReadonlySet<string>
  /** Is this the label that is being bound? In its own value its name is a word like any other. */
  readonly isBeingBound: (label: string) => boolean
  /** Where the statement begins that is being checked. */
  readonly statementStart: () => number
  /** What `_` stands for, on the right side of `=>`. */
  readonly cursor?: Rows
  readonly report: (problem: Problem) => void
  /** Values hold values and expressions hold expressions: whoever meets one inside hands it back here. */
  readonly checkValue: (context: Context, value: Value, want: Want) => CheckedValue | undefined
  readonly checkExpression: (context: Context, expression: Expression) => CheckedNode | undefined
}

/** The same, where what is reported speaks of the entity, or of one of its capabilities. */
export function speakingOf(context: Context, { catalog, entity }: Target, capability?: Capability): Context {
  return {
    ...context,
    report: (problem) => {
      const { space } = context.scope
      const exposed = problem.about ? undefined : space.exposureOf(catalog.id, entity.name)
      const symbol =
        exposed && ((capability && space.methodSymbol(exposed, capability.name)) ?? exposed.symbol)
      context.report(symbol === undefined ? problem : { ...problem, about: [symbol] })
    },
  }
}

/** More problems than these help nobody. */
export const MAX_PROBLEMS = 20
/** A list in a message ends here. */
const MAX_LISTED = 12

/** A place with the names that would have been right there and, where one of them stands out, the repair. */
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

/** Are these one name in two spellings: another case, another separator? */
function sameButForm(a: string, b: string): boolean {
  return plain(a) === plain(b)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '')
}

/** The names as a message lists them: quoted, each with what is said of it, and cut where the list grows long. */
export function listed(names: readonly string[], remarks: readonly string[] = []): readonly string[] {
  const quoted = names.slice(0, MAX_LISTED).map((name, index) => `\`${name}\`${remarks[index] ?? ''}`)
  return names.length > MAX_LISTED ? [...quoted, `… (${names.length - MAX_LISTED} more)`] : quoted
}
