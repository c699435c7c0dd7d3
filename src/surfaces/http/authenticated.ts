import type { Context } from 'hono'
import type { Rate } from '../../base/token-bucket.ts'
import { type Announced, announcedText, type Caller, mayUse, type Verifier } from '../../engine/index.ts'
import { callerOf } from './guard.ts'
import { ownProblemReply } from './problem-reply.ts'
import { httpProblem } from './problems.ts'
import { RequestRates } from './request-rates.ts'
import { challenge, type ProtectedResource } from './resource.ts'
import type { Env, Route } from './route.ts'

/** How callers prove who they are, and how often each may call. */
export interface CallerParts {
  readonly verifier: Verifier
  /** How often each principal may call; absent: no limit. */
  readonly requestRate?: Rate
  /** The header in which a client may announce its workspace; absent: none is read. */
  readonly workspaceHeader?: string
  /** Whose tokens are taken, for clients who look for that; absent where none are. */
  readonly resource?: ProtectedResource
}

/** Wraps handlers: they serve callers who prove who they are, within their rate. */
export function authentication({ verifier, requestRate, workspaceHeader, resource }: CallerParts) {
  const rates = requestRate && new RequestRates(requestRate, () => performance.now())
  return (
      handle: Route['handle'],
      { surfaces = ['http'], isForOperators }: Pick<Route, 'surfaces' | 'isForOperators'>,
    ): Route['handle'] =>
    async (c) => {
      const credential = c.req.header('authorization')
      const caller = await callerOf(verifier, credential)
      if (!caller)
        return ownProblemReply(httpProblem('unauthenticated', {}), {
          'www-authenticate': challenge(resource, c.req.url, credential !== undefined),
        })
      const count = (requests: number) => rates && excess(rates, c, caller, requests)
      const refused = count(1)
      if (refused) return refused
      if (!surfaces.some((surface) => mayUse(caller, surface))) return limited(caller)
      if (isForOperators && caller.isOperator?.() !== true)
        return ownProblemReply(httpProblem('operators_only', {}))
      c.set('caller', caller)
      c.set('count', count)
      c.set('announced', announcedBy(c, workspaceHeader))
      return handle(c)
    }
}

/** The refusal of a request that the caller's key does not cover. */
export function limited({ surfaces = [] }: Caller): Response {
  return ownProblemReply(httpProblem('key_limited', { only: surfaces }))
}

/** Counts requests of the caller; the refusal if they are too many. Its answer states the rate either way. */
function excess(
  rates: RequestRates,
  c: Context<Env>,
  { principal }: Caller,
  requests: number,
): Response | undefined {
  const { headers, retryAfterSeconds: seconds } = rates.count(principal, requests)
  if (seconds !== undefined)
    return ownProblemReply(httpProblem('too_many_requests', { seconds }), {
      ...headers,
      'retry-after': String(seconds),
    })
  // On the socket's answer: setting headers of a `Response` costs many times as much.
  for (const [name, value] of Object.entries(headers)) c.env?.outgoing?.setHeader(name, value)
  return undefined
}

/** What the client announces in the header that the operator chose. The bytes of a header are UTF-8. */
function announcedBy(c: Context<Env>, header: string | undefined): Announced {
  const sent = header === undefined ? undefined : announcedText(c.req.header(header))
  return sent === undefined ? {} : { workspace: Buffer.from(sent, 'latin1').toString('utf8') }
}
