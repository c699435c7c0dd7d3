import { type Problem, sentences } from '../../base/diagnostic.ts'
import { statusOf } from './status.ts'

/**
 * An error as RFC 9457 has it. `code` and `title` are of the first problem; `problems` holds all of them, with their
 * places; `detail` is the text that every surface shows.
 */
export function problemReply(
  problems: readonly Problem[],
  detail: string,
  headers: Readonly<Record<string, string>> = {},
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
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, 'content-type': 'application/problem+json; charset=utf-8' },
  })
}

/** The same for one problem that no engine has put into words. */
export function ownProblemReply(problem: Problem, headers?: Readonly<Record<string, string>>): Response {
  return problemReply([problem], `${problem.code}: ${sentences(problem)}`, headers)
}
