import type { Context } from 'hono'
import { type Caller, mayUse } from '../../../engine/index.ts'
import type { Admission } from './admission.ts'
import { ownProblemReply } from '../problem-reply.ts'
import { httpProblem } from '../problems.ts'
import { challenge, type ProtectedResource } from './resource.ts'
import type { Env, Route } from '../route.ts'

/**
 * Wraps handlers: they serve callers who prove who they are, within their rate.
 *
 * @param resource whose tokens are taken, for clients who look for that; absent where none are
 */
export function authentication(admission: Admission, resource: ProtectedResource | undefined) {
  return (
      handle: Route['handle'],
      { surfaces = ['http'], isForOperators }: Pick<Route, 'surfaces' | 'isForOperators'>,
    ): Route['handle'] =>
    async (c) => {
      const header = (name: string) => c.req.header(name)
      const caller = await admission.caller(header)
      if (!caller) {
        const hasCredential = header('authorization') !== undefined
        return ownProblemReply(httpProblem('unauthenticated', {}), {
          'www-authenticate': challenge(resource, c.req.url, hasCredential),
        })
      }
      const count = (requests: number) => excess(admission, c, caller, requests)
      const refused = count(1)
      if (refused) return refused
      if (!surfaces.some((surface) => mayUse(caller, surface))) return limited(caller)
      if (isForOperators && caller.isOperator?.() !== true)
        return ownProblemReply(httpProblem('operators_only', {}))
      c.set('caller', caller)
      c.set('count', count)
      c.set('announced', admission.announced(header))
      return handle(c)
    }
}

/** The refusal of a request that the caller's key does not cover. */
export function limited({ surfaces = [] }: Caller): Response {
  return ownProblemReply(httpProblem('key_limited', { only: surfaces }))
}

/** Counts requests of the caller; the refusal if they are too many. Its answer states the rate either way. */
function excess(
  admission: Admission,
  c: Context<Env>,
  caller: Caller,
  requests: number,
): Response | undefined {
  const { headers, retryAfterSeconds: seconds } = admission.count(caller, requests)
  if (seconds !== undefined)
    return ownProblemReply(httpProblem('too_many_requests', { seconds }), {
      ...headers,
      'retry-after': String(seconds),
    })
  // On the socket's answer: setting headers of a `Response` costs many times as much.
  for (const [name, value] of Object.entries(headers)) c.env?.outgoing?.setHeader(name, value)
  return undefined
}
