import type { HttpRequest } from '../../../catalog/calls/http-request.ts'
import type { Source } from '../../source.ts'
import type { AnswerReading } from './exchange.ts'
import { getOverHttp } from './get.ts'
import { listOverHttp } from './list.ts'
import { prepareOverHttp } from './prepare.ts'

/**
 * Makes calls that are HTTP requests.
 *
 * @param reads what an answer with a success status says is wrong
 */
export function overHttp(reads: AnswerReading): Required<Source<{ readonly request: HttpRequest }>> {
  return {
    get: ({ request }, invocation, context) => getOverHttp({ request, invocation, context, reads }),
    list: ({ request }, reading, context) =>
      listOverHttp({ request, invocation: reading.invocation, context, reads }, reading),
    prepare: ({ request }, invocation, context) => prepareOverHttp({ request, invocation, context, reads }),
  }
}
