import type { HttpRequest } from '../../../catalog/model.ts'
import type { Source } from '../../source.ts'
import type { ErrorIn } from './exchange.ts'
import { getOverHttp } from './get.ts'
import { listOverHttp } from './list.ts'
import { prepareOverHttp } from './prepare.ts'

/**
 * Makes calls that are HTTP requests.
 *
 * @param errorIn what an answer with a success status says is wrong
 */
export function overHttp(errorIn: ErrorIn): Source<{ readonly request: HttpRequest }> {
  return {
    get: ({ request }, invocation, context) => getOverHttp({ request, invocation, context, errorIn }),
    list: ({ request }, reading, context) =>
      listOverHttp({ request, invocation: reading.invocation, context, errorIn }, reading),
    prepare: ({ request }, invocation, context) => prepareOverHttp({ request, invocation, context, errorIn }),
  }
}
