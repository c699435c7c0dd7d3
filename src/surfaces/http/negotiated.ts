import { preferred } from './accept.ts'
import { ownProblemReply } from './problem-reply.ts'
import { httpProblem } from './problems.ts'
import type { Route } from './route.ts'

/**
 * The handler of a route, for clients whose `Accept` allows one of its content types: `not_acceptable` for others, before
 * anything is done.
 */
export function negotiated({ answers, handle }: Pick<Route, 'answers' | 'handle'>): Route['handle'] {
  const offers = [...new Set(Object.values(answers).flatMap((content) => Object.keys(content)))]
  if (offers.length === 0) return handle
  return (c) => {
    const accept = c.req.header('accept')
    const type = preferred(accept, offers)
    if (type === undefined)
      return ownProblemReply(httpProblem('not_acceptable', { accept: accept ?? '', offers }))
    c.set('accepted', type)
    return handle(c)
  }
}
