import type { Problem } from '../base/diagnostic.ts'
import { applyFix } from './syntax/fix.ts'
import { locate, pointAt } from './syntax/locate.ts'

/** Problems that are shown in full; the rest are counted. */
const MAX_SHOWN = 10
/** The longest correction, in characters. */
const MAX_FIX_LENGTH = 400

/**
 * The problems of a program for agents: each with its code, its place, the nearest names, the corrected lines if there
 * are any, and the next step. At most ten are shown. `rows`: the teaching rows of the symbols in them.
 */
export function explainProblems(
  text: string,
  problems: readonly Problem[],
  rows: readonly string[] = [],
): string {
  const shown = problems.slice(0, MAX_SHOWN).map((problem) => explain(text, problem))
  const rest = problems.length - shown.length
  const taught = rows.length > 0 ? [['as taught:', ...rows].join('\n')] : []
  return [...shown, ...(rest > 0 ? [`… and ${rest} more problems`] : []), ...taught].join('\n\n')
}

/** The symbols in the problems that are shown, each once. */
export function aboutOf(problems: readonly Problem[]): readonly string[] {
  return [...new Set(problems.slice(0, MAX_SHOWN).flatMap(({ about = [] }) => about))]
}

function explain(text: string, problem: Problem): string {
  const { code, message, next, span, nearest, fix } = problem
  const corrected = fix && correctedLines(text, problem)
  return [
    `${code}: ${message}`,
    ...(span ? [pointAt(text, span)] : []),
    ...(nearest && nearest.length > 0 ? [`nearest: ${nearest.join(', ')}`] : []),
    ...(corrected === undefined ? [] : [`fix: ${corrected}`]),
    `next: ${next}`,
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
  return corrected.length > MAX_FIX_LENGTH ? `${corrected.slice(0, MAX_FIX_LENGTH)}…` : corrected
}
