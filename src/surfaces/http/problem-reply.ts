import { type Problem, sentences } from '../../base/diagnostic.ts'
import { type RefusedBesides, toRefusalBody } from '../bodies/refusal.ts'
import { jsonAnswer } from './answer.ts'
import type { SocketAnswer } from './on-socket.ts'
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
  const { status, body } = problemDetails(problems, detail, besides)
  const again = status === 429 ? { 'retry-after': RETRY_SECONDS } : {}
  return jsonAnswer(body, status, { ...again, ...headers, 'content-type': PROBLEM_TYPE })
}

/** The same in parts, for an answer without an object of the fetch API. */
export function problemAnswer(
  problems: readonly Problem[],
  detail: string,
  besides: RefusedBesides,
): SocketAnswer {
  const { status, body } = problemDetails(problems, detail, besides)
  return { status, body: JSON.stringify(body), headers: { 'content-type': PROBLEM_TYPE } }
}

/** When what is full now may have room, unless the refusal knows better. */
const RETRY_SECONDS = '1'

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

function problemDetails(problems: readonly Problem[], detail: string, besides: RefusedBesides) {
  const refusal = toRefusalBody(problems, detail, besides)
  const { code } = refusal
  const status = statusOf(code)
  const body = { type: `urn:plasmid:problem:${code}`, title: code.replaceAll('_', ' '), status, ...refusal }
  return { status, body }
}

/** One problem that no engine has put into words. */
export function ownProblemReply(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return problemReply([problem], inWords(problem), { headers })
}

/** The same in parts. */
export function ownProblemAnswer(problem: Problem): SocketAnswer {
  return problemAnswer([problem], inWords(problem), {})
}

function inWords(problem: Problem): string {
  return `${problem.code}: ${sentences(problem)}`
}
