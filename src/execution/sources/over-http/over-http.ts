import type { HttpRequest } from '../../../catalog/model.ts'
import type { Source } from '../../source.ts'
import type { Told } from './exchange.ts'
import { getOverHttp } from './get.ts'
import { listOverHttp } from './list.ts'
import { prepareOverHttp } from './prepare.ts'

/**
 * Makes calls that are HTTP requests.
 *
 * @param told what an answer with a success status says is wrong
 */
export function overHttp(told: Told): Required<Source<{ readonly request: HttpRequest }>> {
  return {
    get: ({ request }, invocation, context) => getOverHttp({ request, invocation, context, told }),
    list: ({ request }, reading, context) =>
      listOverHttp({ request, invocation: reading.invocation, context, told }, reading),
    prepare: ({ request }, invocation, context) => prepareOverHttp({ request, invocation, context, told }),
  }
}
