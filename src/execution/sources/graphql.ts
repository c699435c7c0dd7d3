import { apiMessage, errorInBody, errorsIn } from '../http/response/answer.ts'
import { overHttp } from './over-http/over-http.ts'

/** Calls to a GraphQL API over HTTP: where an answer lists errors, its data is not the whole of what was asked for. */
export const graphql = overHttp(
  (body) => errorInBody(body) ?? (errorsIn(body).length > 0 ? apiMessage(body) : undefined),
)
