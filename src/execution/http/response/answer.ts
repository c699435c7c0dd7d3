import type { Json } from '../../../base/canonical.ts'
import type { Problem } from '../../../base/diagnostic.ts'
import { child, isList, isRecord, walk } from '../../../base/json.ts'
import type { AnswerShape } from '../../../catalog/calls/http-request.ts'
import { problem, type Where } from '../../problems.ts'
import type { WireReply } from '../../wire.ts'
import { apiMessage } from './message.ts'

/**
 * What an answer says is wrong, by its status or in its body; nothing where it holds what was asked for.
 *
 * @param errorIn what the body of an answer with a success status says is wrong
 */
export function answerProblem(
  reply: WireReply,
  where: Where,
  errorIn: (body: Json) => string | undefined,
): Problem | undefined {
  if (reply.status >= 200 && reply.status < 300) {
    const detail = errorIn(reply.body)
    return detail === undefined ? undefined : problem('api_error', { ...where, detail })
  }
  return statusProblem(reply.status, apiMessage(reply.body), reply.headers['retry-after'] ?? '', where)
}

/** The problem of an error status, with the API's message. */
export function statusProblem(status: number, detail: string, retryAfter: string, where: Where): Problem {
  if (status === 404 || status === 410) return problem('not_found', { ...where, detail })
  if (status === 401 || status === 403) return problem('refused_credentials', { ...where, status, detail })
  if (status === 429) {
    return problem('rate_limited', { ...where, wait: /^\d{1,5}$/.test(retryAfter) ? retryAfter : '', detail })
  }
  return problem(status >= 500 ? 'upstream_error' : 'rejected', { ...where, status, detail })
}

/** Errors that come with a success status: `{ok: false, error}`, and a list of `errors` without data. */
export function errorInBody(body: Json): string | undefined {
  if (!isRecord(body)) return undefined
  if (child(body, 'ok') === false && child(body, 'error') !== undefined)
    return apiMessage(body) || 'ok: false'
  if (errorsIn(body).length === 0 || hasData(body)) return undefined
  // A row may have a column of this name.
  return child(body, 'id') === undefined ? apiMessage(body) : undefined
}

/** Errors that stand beside data. */
export function errorBesideData(body: Json): string | undefined {
  return errorsIn(body).length > 0 && hasData(body) ? apiMessage(body) : undefined
}

function hasData(body: Json): boolean {
  const data = child(body, 'data') ?? null
  return data !== null && !(isRecord(data) && Object.values(data).every((held) => held === null))
}

/** What an answer says in which the member for it states that the call was not done. */
export function verdictIn(body: Json, { verdict }: Pick<AnswerShape, 'verdict'> = {}): string | undefined {
  const said = verdict && walk(body, verdict.path)
  if (said === undefined || !verdict?.failures.includes(said)) return undefined
  return apiMessage(walk(body, verdict.path.slice(0, -1)) ?? null)
}

/** The `errors` of an answer, where all of them have a message. */
export function errorsIn(body: Json): readonly Json[] {
  const errors = child(body, 'errors')
  return isList(errors) && errors.every((one) => typeof child(one, 'message') === 'string') ? errors : []
}
