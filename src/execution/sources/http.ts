import { errorBesideData, errorInBody } from '../http/response/answer.ts'
import { overHttp } from './over-http/over-http.ts'

/** Calls to an HTTP API that answers in JSON. */
export const http = overHttp({ errorIn: errorInBody, partialIn: errorBesideData })
