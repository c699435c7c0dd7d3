import { counted } from '../base/text/counted.ts'
import type { Problem } from '../base/diagnostic.ts'
import { applyFix } from './syntax/fix.ts'
import { locate, pointAt } from './syntax/locate.ts'

/** Problems that are shown in full; the rest are counted. */
const MAX_SHOWN = 10
/** The longest correction that is shown, in characters. */
const MAX_FIX_LENGTH = 400

/**
 * The problems of a program for agents: each with its code, its place, and the corrected lines or, without them, the nearest
 * names and the next step. At most ten are shown. `rows`: the teaching rows of the symbols in them.
 */
export function explainProblems(
  text: string,
  problems: readonly Problem[],
  rows: readonly string[] = [],
): string {
  const groups = alikeOf(problems)
  const shown = groups.slice(0, MAX_SHOWN).map((alike) => explain(text, alike))
  const rest = groups.length - shown.length
  const taught = rows.length > 0 ? [['as taught:', ...rows].join('\n')] : []
  return [...shown, ...(rest > 0 ? [`… and ${counted(rest, 'more problem')}`] : []), ...taught].join('\n\n')
}

/** A symbol that mistakes concern, and the rows that correct them: its own, also the reads of the entity, or all of it. */
interface About {
  readonly symbol: string
  readonly rows: 'own' | 'reads' | 'all'
}

/** Of mistakes about an entity, those that its first row does not correct. A mistake whose next step needs no row has `none`. */
const ROWS_FOR: ReadonlyMap<string, About['rows'] | 'none'> = new Map([
  ['target_not_exposed', 'none'],
  ['unknown_predicate', 'reads'],
  ['null_condition', 'reads'],
  ['parameter_operator', 'reads'],
  ['ambiguous_query', 'reads'],
  ['no_query', 'reads'],
  ['takes_no_predicates', 'reads'],
  ['missing_argument', 'reads'],
  ['unknown_argument', 'reads'],
  ['unknown_step', 'all'],
  ['ambiguous_method', 'all'],
  ['empty_get', 'all'],
])
const ORDER = ['own', 'reads', 'all'] as const

/** The symbols in the problems that are shown without a fix, each once, with the rows that correct its mistakes. */
export function aboutOf(problems: readonly Problem[]): readonly About[] {
  const about = new Map<string, About['rows']>()
  const shown = alikeOf(problems).slice(0, MAX_SHOWN)
  for (const { code, about: symbols = [], fix } of shown.flatMap((alike) => alike.slice(0, 1))) {
    const rows = ROWS_FOR.get(code) ?? 'own'
    if (fix || rows === 'none') continue
    for (const symbol of symbols) {
      const before = about.get(symbol) ?? 'own'
      about.set(symbol, ORDER.indexOf(rows) > ORDER.indexOf(before) ? rows : before)
    }
  }
  return [...about].map(([symbol, rows]) => ({ symbol, rows }))
}

/** Problems with the same message in one group, in order. */
function alikeOf(problems: readonly Problem[]): readonly (readonly Problem[])[] {
  const groups = new Map<string, Problem[]>()
  for (const problem of problems) {
    const key = `${problem.code}: ${problem.message}`
    const group = groups.get(key)
    if (group) group.push(problem)
    else groups.set(key, [problem])
  }
  return [...groups.values()]
}

/** The first of some problems that are alike, and the lines of the others. */
function explain(text: string, [first, ...others]: readonly Problem[]): string {
  if (!first) return ''
  const { code, message, next, span, nearest, fix } = first
  const corrected = fix && correctedLines(text, first)
  const lines = new Set(others.flatMap((other) => (other.span ? [locate(text, other.span.start).line] : [])))
  const [own] = span ? [locate(text, span.start).line] : []
  if (own !== undefined) lines.delete(own)
  return [
    `${code}: ${message}`,
    ...(span ? [pointAt(text, span)] : []),
    ...(lines.size > 0 ? [`also in line ${[...lines].slice(0, MAX_SHOWN).join(', ')}`] : []),
    ...(corrected === undefined
      ? [...(nearest && nearest.length > 0 ? [`nearest: ${nearest.join(', ')}`] : []), `next: ${next}`]
      : [`fix: ${corrected}`]),
  ].join('\n')
}

/** The lines that the fix changes, as they are after it; `…` for those between them. */
function correctedLines(text: string, { fix }: Problem): string | undefined {
  if (!fix || fix.edits.length === 0) return undefined
  const fixed = applyFix(text, fix)
  const lines = fixed.split('\n')
  const shown: string[] = []
  let [moved, last] = [0, 0]
  for (const { span, text: put } of fix.edits.toSorted((a, b) => a.span.start - b.span.start)) {
    const start = span.start + moved
    moved += put.length - (span.end - span.start)
    const from = Math.max(locate(fixed, start).line, last + 1)
    if (last > 0 && from > last + 1) shown.push('…')
    last = Math.max(locate(fixed, start + put.length).line, last)
    shown.push(...lines.slice(from - 1, last))
  }
  const corrected = shown.join('\n')
  return corrected.length > MAX_FIX_LENGTH ? undefined : corrected
}
