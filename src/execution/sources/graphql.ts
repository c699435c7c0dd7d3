import { apiMessage, errorInBody, errorsIn } from '../http/response/answer.ts'
import { overHttp } from './over-http/over-http.ts'

/** Calls to a GraphQL API over HTTP: if an answer has errors, its data is incomplete. */
export const graphql = overHttp(
  (body) => errorInBody(body) ?? (errorsIn(body).length > 0 ? apiMessage(body) : undefined),
)
