import type { Json } from '../../base/canonical.ts'
import { type Problem, sentences } from '../../base/diagnostic.ts'
import type { Reply, RunFacts } from '../contract.ts'

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

/**
 * The answer of a run. Where nothing came of it but problems (no result could be read, no change was done), it is a
 * refusal; whatever came besides makes it an answer that states the problems.
 */
export function runReply(
  text: string,
  meta: Readonly<Record<string, Json>>,
  facts: RunFacts,
): Reply<RunFacts> {
  const { results, effects, problems } = facts
  const isNothing =
    problems.length > 0 &&
    results.every(({ rows, partial }) => partial === 'failed' && rows.length === 0) &&
    !effects.some(({ state }) => state === 'done')
  return isNothing ? { ok: false, text, problems, facts } : { ok: true, text, meta, facts }
}
