import { type Problem, sentences } from '../../base/diagnostic.ts'
import type { Meta, Reply, RunFacts } from '../contract.ts'
import { resultsText } from './results.ts'

/** The text of problems: one line each, with the place and what to do next. */
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
 * The answer of a run. A run with problems, without rows and without a change that was done is a refusal; any other is an
 * answer, which states its problems.
 */
export function runReply(text: string, meta: Meta, facts: RunFacts): Reply<RunFacts> {
  const { results, effects, problems } = facts
  const isNothing =
    problems.length > 0 &&
    results.every(({ rows, partial }) => partial === 'failed' && rows.length === 0) &&
    !effects.some(({ state }) => state === 'done')
  return isNothing ? { ok: false, text, problems, facts } : { ok: true, text, meta, facts }
}

/** The answer of a run with a further problem, in its text and its facts. */
export function withProblem(reply: Reply<RunFacts>, problem: Problem): Reply<RunFacts> {
  const text = `${reply.text}\n${resultsText([], [], undefined, [problem])}`
  const added = reply.facts && { facts: { ...reply.facts, problems: [...reply.facts.problems, problem] } }
  return reply.ok
    ? { ...reply, ...added, text }
    : { ...reply, ...added, text, problems: [...reply.problems, problem] }
}
