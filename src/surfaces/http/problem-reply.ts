import { type Problem, sentences } from '../../base/diagnostic.ts'
import { type RefusedBesides, toRefusalBody } from '../bodies/refusal.ts'
import { jsonAnswer } from './answer.ts'
import { statusOf } from './status.ts'

interface Besides extends RefusedBesides {
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An error as RFC 9457 has it. `code` and `title` are of the first problem; `problems` holds all of them, with their
 * places; `detail` is the text that every surface shows.
 */
export function problemReply(
  problems: readonly Problem[],
  detail: string,
  { headers = {}, ...besides }: Besides = {},
): Response {
  const refusal = toRefusalBody(problems, detail, besides)
  const { code } = refusal
  const status = statusOf(code)
  const own = { type: `urn:plasmid:problem:${code}`, title: code.replaceAll('_', ' '), status }
  return jsonAnswer({ ...own, ...refusal }, status, {
    ...headers,
    'content-type': 'application/problem+json; charset=utf-8',
  })
}

/** The same for one problem that no engine has put into words. */
export function ownProblemReply(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return problemReply([problem], `${problem.code}: ${sentences(problem)}`, { headers })
}
