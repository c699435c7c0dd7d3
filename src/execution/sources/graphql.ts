import type { HttpRequest } from '../../catalog/calls/http-request.ts'
import { documentOf, type Wanted } from '../http/request/selection.ts'
import { errorInBody, errorsIn } from '../http/response/answer.ts'
import { apiMessage } from '../http/response/message.ts'
import { errorsOf } from '../http/response/graphql.ts'
import type { Invocation } from '../invocation.ts'
import type { CallOf, Source } from '../source.ts'
import type { AnswerReading } from './over-http/exchange.ts'
import { overHttp } from './over-http/over-http.ts'

type Call = CallOf<'graphql'>

/**
 * Calls to a GraphQL API over HTTP. An operation without its own document gets one that asks for what the program asks for.
 * If an answer to a document of the catalog has errors, its data is incomplete.
 */
export const graphql: Source<Call> = {
  get: (call, invocation, context) =>
    sourceOf(call).get(
      { request: requestOf(call, invocation, { needs: invocation.needs }) },
      invocation,
      context,
    ),
  list: (call, reading, context) => {
    const joined = reading.filters.flatMap(({ path }) => path.slice(0, 1))
    const { needs, whole } = reading
    const request = requestOf(call, reading.invocation, { needs, joined, ...(whole && { whole }) })
    return sourceOf(call).list({ request }, reading, context)
  },
  prepare: (call, invocation, context) =>
    sourceOf(call).prepare({ request: requestOf(call, invocation, {}) }, invocation, context),
}

function requestOf({ request, operation }: Call, invocation: Invocation, wanted: Wanted): HttpRequest {
  const { body } = request
  if (!operation || body?.type !== 'object') return request
  const document = { type: 'const', value: documentOf(operation, invocation, wanted) } as const
  return { ...request, body: { ...body, fields: [['query', document], ...body.fields] } }
}

const WHOLE: AnswerReading = {
  errorIn: (body) => errorInBody(body) ?? (errorsIn(body).length > 0 ? apiMessage(body) : undefined),
}

function sourceOf({ operation }: Call) {
  return overHttp(operation ? errorsOf(operation) : WHOLE)
}
