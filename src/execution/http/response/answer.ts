import type { Json } from '../../../base/canonical.ts'
import type { Problem } from '../../../base/diagnostic.ts'
import { child, isList, isRecord, scalarText, walk } from '../../../base/json.ts'
import { oneLine } from '../../../base/text/one-line.ts'
import type { AnswerShape } from '../../../catalog/calls/http-request.ts'
import { problem, type Where } from '../../problems.ts'
import type { WireReply } from '../../wire.ts'

/** The maximum length of an API's message in a problem. */
const MAX_DETAIL = 768

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
  if (errorsIn(body).length === 0) return undefined
  const data = child(body, 'data')
  const empty =
    data === undefined ||
    data === null ||
    (isRecord(data) && Object.values(data).every((held) => held === null))
  return empty ? apiMessage(body) : undefined
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

/** The API's message, from any of its usual places: one visible line, capped. */
export function apiMessage(body: Json): string {
  return oneLine(messageOf(body), MAX_DETAIL)
}

function messageOf(body: Json): string {
  if (!isRecord(body)) return scalarText(body) ?? ''
  const message = child(body, 'message')
  if (typeof message === 'string' && message !== '') return withDetails(message, body)
  const list = child(body, 'errorMessages')
  if (isList(list) && list.length > 0) return listed(list)
  const errors = child(body, 'errors')
  if (isList(errors)) return listed(errors.map((one) => child(one, 'message') ?? one))
  if (isRecord(errors))
    return listed(
      Object.entries(errors).map(([name, held]) => `${name}: ${scalarText(held) ?? shortJson(held)}`),
    )
  const error = child(body, 'error')
  if (isRecord(error)) return scalarText(child(error, 'message')) ?? shortJson(error)
  if (error !== undefined && error !== null) return listed([error, child(body, 'error_description') ?? ''])
  return (
    scalarText(child(body, 'detail')) ??
    scalarText(child(body, 'title')) ??
    scalarText(child(body, 'msg')) ??
    scalarText(child(body, 'reason')) ??
    (Object.keys(body).length === 0 ? '' : shortJson(body))
  )
}

/** The fields that a general message is about, if the API lists them. */
function withDetails(message: string, body: Json): string {
  const errors = child(body, 'errors')
  if (!isList(errors)) return message
  const details = errors
    .map((one) => scalarText(child(one, 'message')) ?? scalarText(one) ?? '')
    .filter((text) => text !== '')
  return details.length === 0 ? message : `${message} (${details.slice(0, 5).join('; ')})`
}

function listed(parts: readonly Json[]): string {
  return parts
    .slice(0, 5)
    .map((part) => scalarText(part) ?? shortJson(part))
    .filter((text) => text !== '')
    .join('; ')
}

function shortJson(value: Json): string {
  return JSON.stringify(value).slice(0, MAX_DETAIL)
}
