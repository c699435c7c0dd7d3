import type { Problem } from '../../base/diagnostic.ts'
import { Sliced } from '../../base/slices/sliced.ts'
import type { Program } from '../syntax/tree.ts'
import type { CheckedNode, CheckedProgram } from './model/checked.ts'
import { MAX_PROBLEMS, type Context } from './model/context.ts'
import { checkExpression } from './rows/expressions.ts'
import { rootLabels } from './rows/root-labels.ts'
import { refusesUnfetched } from './values/fetched.ts'
import { refusesIdleRoot } from './rules/nothing-to-do.ts'
import { PROGRAM_RULES } from './rules/index.ts'
import { refusesTooManySteps } from './rules/size.ts'
import type { Scope } from './model/scope.ts'
import { checkValue } from './values/values.ts'

export interface CheckOptions {
  /** The program is a row of a teaching table: `$` is a placeholder for a value, `..` for omitted optional arguments. */
  readonly teaching?: boolean
}

/** A checked program, and its problems. */
export interface Checked {
  readonly checked: CheckedProgram
  readonly problems: readonly Problem[]
}

const NOTHING: CheckedProgram = { bindings: [], roots: [] }

/**
 * Checks a program against a session: resolves names, fits literals to their slots, applies every rule. Pure. The checked
 * program is complete only if there are no problems; at most 20 problems, in the order of the text.
 */
export function check(program: Program, scope: Scope, options: CheckOptions = {}): Checked {
  return new Sliced(checking(program, scope, options)).whole()
}

/**
 * The same in steps.
 *
 * @yields before each statement and each root
 */
export function* checking(
  program: Program,
  scope: Scope,
  options: CheckOptions = {},
): Generator<void, Checked> {
  const problems = new Map<string, Problem>()
  const at: Place = { labels: new Map(), beingBound: undefined, statementStart: 0, expressionStart: 0 }
  // Problems beyond the list would not be shown: what follows them is not checked.
  const isFull = () => problems.size >= MAX_PROBLEMS
  const context: Context = {
    scope,
    teaching: options.teaching === true,
    labels: at.labels,
    allLabels: new Set(program.bindings.map((binding) => binding.label.text)),
    isBeingBound: (label) => label === at.beingBound,
    statementStart: () => at.statementStart,
    expressionStart: () => at.expressionStart,
    checkValue: (...given) => (isFull() ? undefined : checkValue(...given)),
    checkExpression: (...given) => (isFull() ? undefined : checkExpression(...given)),
    report: (found) => {
      if (isFull()) return
      const problem = typeof found === 'function' ? found() : found
      const key = `${problem.code} ${problem.span?.start} ${problem.span?.end} ${problem.message}`
      problems.set(key, problem)
    },
  }
  const complete = yield* statements(context, program, at)
  const sorted = [...problems.values()].toSorted((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0))
  return { checked: complete, problems: sorted }
}

/** Where checking stands in the program. */
interface Place {
  /** The labels that were bound so far; null where the value is wrong. */
  readonly labels: Map<string, CheckedNode | null>
  beingBound: string | undefined
  statementStart: number
  expressionStart: number
}

// A generator inside of `checking` would be a new function for each program, which V8 keeps until its next full collection.
function* statements(context: Context, program: Program, at: Place): Generator<void, CheckedProgram> {
  const isTooLong = refusesTooManySteps(context, program)
  for (const rule of PROGRAM_RULES) rule(context, program)
  if (isTooLong) return NOTHING
  const bindings: CheckedProgram['bindings'][number][] = []
  for (const { label, value, span } of program.bindings) {
    yield
    at.beingBound = label.text
    at.statementStart = span.start
    at.expressionStart = value.span.start
    const node = context.checkExpression(context, value)
    if (node) bindings.push({ label: label.text, node, span })
    if (!at.labels.has(label.text)) at.labels.set(label.text, node ?? null)
  }
  at.beingBound = undefined
  // The roots may share one line.
  at.statementStart = program.roots[0]?.span.start ?? 0
  const returned: CheckedNode[] = []
  for (const root of program.roots) {
    yield
    at.expressionStart = root.span.start
    const node = context.checkExpression(context, root)
    if (!node || refusesUnfetched(context, node) || refusesIdleRoot(context, node)) continue
    returned.push(node)
  }
  const names = rootLabels(returned, context.allLabels)
  const roots = returned.map((node, index) => ({ label: names[index] ?? '', node }))
  return { bindings, roots }
}
