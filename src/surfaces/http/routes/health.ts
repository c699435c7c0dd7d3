import { healthBody, readyBody } from '../../bodies/bodies.ts'
import { jsonAnswer } from '../answer.ts'
import { ownProblemReply } from '../problem-reply.ts'
import { httpProblem } from '../problems.ts'
import type { Route } from '../route.ts'

/** The parts of a server without which it cannot serve requests. */
export type Faulty = 'store' | 'policy' | 'disk'

/** For supervisors and load balancers, who carry no credentials. */
export function healthRoutes(faulty: () => Promise<readonly Faulty[]>): readonly Route[] {
  return [
    {
      method: 'get',
      path: '/v1/health',
      name: 'getHealth',
      tag: 'Server',
      summary: 'Whether the process responds',
      isPublic: true,
      answers: { 200: { 'application/json': healthBody } },
      handle: () => jsonAnswer({ status: 'ok' }),
    },
    {
      method: 'get',
      path: '/v1/ready',
      name: 'getReadiness',
      tag: 'Server',
      summary:
        'Whether the server can serve requests: it can write the store, read the policy, and has disk space',
      isPublic: true,
      answers: { 200: { 'application/json': readyBody } },
      handle: async () => {
        const parts = await faulty()
        return parts.length === 0
          ? jsonAnswer({ status: 'ready' })
          : ownProblemReply(httpProblem('not_ready', { parts }))
      },
    },
  ]
}
