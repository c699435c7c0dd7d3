import { type Problem, sentences } from '../base/diagnostic.ts'

/** The text that states problems to whoever reads: every problem with its place and what to do next, then one line a code. */
export function problemText(problems: readonly Problem[]): string {
  return `${problems.map(statement).join('\n')}\n`
}

function statement(problem: Problem): string {
  const place = problem.path === undefined ? '' : ` at ${problem.path}`
  return `${problem.code}${place}: ${sentences(problem)}`
}

/** A refusal: the problems, and the text that states them. */
export function refuse(problems: readonly Problem[], text = problemText(problems)) {
  return { ok: false as const, text, problems }
}
