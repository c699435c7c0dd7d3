import { type Problem, sentences } from '../../base/diagnostic.ts'
import type { Confirmation } from '../../engine/index.ts'
import { jsonAnswer } from './answer.ts'
import { statusOf } from './status.ts'

interface Besides {
  readonly headers?: Readonly<Record<string, string>>
  /** What a person has to agree to: sent with the same request as `confirm`, its code runs the plan. */
  readonly confirm?: Confirmation | undefined
  /** What became of the changes of a run that nothing came of but problems. */
  readonly effects?: readonly object[] | undefined
}

/**
 * An error as RFC 9457 has it. `code` and `title` are of the first problem; `problems` holds all of them, with their
 * places; `detail` is the text that every surface shows.
 */
export function problemReply(
  problems: readonly Problem[],
  detail: string,
  { headers = {}, confirm, effects = [] }: Besides = {},
): Response {
  const code = problems[0]?.code ?? 'internal_error'
  const status = statusOf(code)
  const body = {
    type: `urn:plasmid:problem:${code}`,
    title: code.replaceAll('_', ' '),
    status,
    detail,
    code,
    problems,
    ...(confirm && { confirm }),
    ...(effects.length > 0 && { effects }),
  }
  return jsonAnswer(body, status, { ...headers, 'content-type': 'application/problem+json; charset=utf-8' })
}

/** The same for one problem that no engine has put into words. */
export function ownProblemReply(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return problemReply([problem], `${problem.code}: ${sentences(problem)}`, { headers })
}
