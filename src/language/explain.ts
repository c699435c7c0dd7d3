import type { Problem } from '../base/diagnostic.ts'
import { applyFix } from './syntax/fix.ts'
import { locate, pointAt } from './syntax/locate.ts'

/** Problems that are shown in full; the rest are counted. */
const MAX_SHOWN = 10
/** The longest corrected line, in characters. */
const MAX_FIX_LENGTH = 200

/**
 * The problems of a program for agents: each with its code, its place, the nearest names, the corrected line if there is
 * one, and the next step. At most ten are shown. `rows`: the teaching rows of the symbols in them.
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
  const corrected = fix && correctedLine(text, problem)
  return [
    `${code}: ${message}`,
    ...(span ? [pointAt(text, span)] : []),
    ...(nearest && nearest.length > 0 ? [`nearest: ${nearest.join(', ')}`] : []),
    ...(corrected === undefined ? [] : [`fix: ${corrected}`]),
    `next: ${next}`,
  ].join('\n')
}

/** The line of the first edit after the fix, with the lines that the edit adds. */
function correctedLine(text: string, { fix }: Problem): string | undefined {
  const [first] = fix?.edits.toSorted((a, b) => a.span.start - b.span.start) ?? []
  if (!fix || !first) return undefined
  const { line } = locate(text, first.span.start)
  const lines = applyFix(text, fix).split('\n')
  const corrected = lines.slice(line - 1, line + first.text.split('\n').length - 1).join('\n')
  return corrected.length > MAX_FIX_LENGTH ? `${corrected.slice(0, MAX_FIX_LENGTH)}…` : corrected
}
