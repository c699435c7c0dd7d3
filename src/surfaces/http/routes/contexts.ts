import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { once } from '../../../base/once.ts'
import { type ContextFacts, contextInput, type Gateway } from '../../../engine/index.ts'
import { answer } from '../answer.ts'
import { jsonBody, parsedJson } from '../body.ts'
import type { SocketAnswer, SocketCalls, SocketExchange } from '../on-socket.ts'
import { problemAnswer } from '../problem-reply.ts'
import { tagged, taggedJson } from '../tagged.ts'
import { answered, refused, type Env, type Route } from '../route.ts'
import { onWritten } from '../written.ts'
import {
  contextBody,
  sessionBody,
  sessionsBody,
  toContextBody,
  toSessionBody,
  toSessionsBody,
  type Answered,
} from '../../bodies/bodies.ts'

const ref = z.object({ ref: z.string().describe('`s0` or `l_…`') })
const seedsInput = contextInput.pick({ seeds: true, have: true, workspace: true }).meta({ id: 'SeedsInput' })
const TABLE_TYPES = ['text/tab-separated-values', 'text/markdown'] as const

/** Sessions: opened, extended, looked at and closed. */
export function contextRoutes(gateway: Gateway, report: (error: unknown) => void): readonly Route[] {
  return [
    {
      method: 'post',
      path: '/v1/contexts',
      name: 'openContext',
      tag: 'Sessions',
      summary:
        'Open, extend or repeat a session (plasm_context): 201 for a new session row, 200 for an existing one. Without an intent, the seeds identify the session',
      body: { 'application/json': contextInput.meta({ id: 'ContextInput' }) },
      headers: ['location'],
      answers: { 200: { 'application/json': contextBody }, 201: { 'application/json': contextBody } },
      handle: async (c) => {
        const body = await jsonBody(c.req)
        return body.ok
          ? fetchAnswer(await openContext(gateway, report, exchangeOf(c), body.value))
          : refused(body)
      },
    },
    {
      method: 'get',
      path: '/v1/contexts',
      name: 'listContexts',
      tag: 'Sessions',
      summary: "The caller's sessions, newest first",
      headers: ['etag'],
      answers: { 200: { 'application/json': sessionsBody } },
      handle: async (c) =>
        answered(await gateway.sessions(c.get('caller')), ({ facts }) =>
          taggedJson(c, toSessionsBody(facts)),
        ),
    },
    {
      method: 'get',
      path: '/v1/contexts/{ref}',
      name: 'getContext',
      tag: 'Sessions',
      summary: 'One session; this request does not extend its expiry',
      parameters: ref,
      headers: ['etag'],
      answers: { 200: { 'application/json': sessionBody } },
      handle: async (c) =>
        answered(await gateway.session(c.get('caller'), param(c, 'ref')), ({ facts }) =>
          taggedJson(c, toSessionBody(facts)),
        ),
    },
    {
      method: 'delete',
      path: '/v1/contexts/{ref}',
      name: 'closeContext',
      tag: 'Sessions',
      summary: 'Close a session',
      parameters: ref,
      answers: { 204: {} },
      handle: async (c) =>
        answered(await gateway.close(c.get('caller'), param(c, 'ref')), () => answer(null, 204)),
    },
    {
      method: 'get',
      path: '/v1/contexts/{ref}/table',
      name: 'getTable',
      tag: 'Sessions',
      summary: 'The whole teaching table: all rows of the session so far',
      parameters: ref,
      headers: ['etag'],
      answers: { 200: Object.fromEntries(TABLE_TYPES.map((type) => [type, z.string()])) },
      handle: (c) => table(gateway, c),
    },
    {
      method: 'post',
      path: '/v1/contexts/{ref}/seeds',
      name: 'addSeeds',
      tag: 'Sessions',
      summary: 'Add seeds to a session',
      parameters: ref,
      body: { 'application/json': seedsInput },
      headers: ['location'],
      answers: { 200: { 'application/json': contextBody }, 201: { 'application/json': contextBody } },
      handle: async (c) => {
        const body = await jsonBody(c.req)
        if (!body.ok) return refused(body)
        const input = withRef(body.value, param(c, 'ref'))
        return fetchAnswer(await openContext(gateway, report, exchangeOf(c), input))
      },
    },
  ]
}

/** The same as `POST /v1/contexts`, on the socket: the most frequent request. */
export function contextCalls(gateway: Gateway, report: (error: unknown) => void): SocketCalls {
  return {
    path: '/v1/contexts',
    surface: 'http',
    recognise: (body, header) => {
      if (header('content-type') !== JSON_TYPE || !ANY_JSON.has(header('accept'))) return undefined
      const input = parsedJson(body)
      return input.ok ? (exchange) => openContext(gateway, report, exchange, input.value) : undefined
    },
  }
}

const JSON_TYPE = 'application/json'
/** The values of `Accept` that nearly all clients send for JSON. */
const ANY_JSON: ReadonlySet<string | undefined> = new Set([undefined, '*/*', JSON_TYPE])

function exchangeOf(c: Context<Env>): SocketExchange {
  return {
    caller: c.get('caller'),
    announced: c.get('announced'),
    onWritten: (callback) => onWritten(c, callback),
  }
}

async function openContext(
  gateway: Gateway,
  report: (error: unknown) => void,
  { caller, announced, onWritten: whenWritten }: SocketExchange,
  input: unknown,
): Promise<SocketAnswer> {
  const reply = await gateway.context(caller, input, { withoutIntent: true, announced })
  if (!reply.ok) return problemAnswer(reply.problems, reply.text, { confirm: reply.confirm })
  const { markDelivered } = reply
  if (markDelivered) whenWritten(() => void markDelivered().catch(report))
  return contextAnswer(reply)
}

/** Written once for each reply object: repeated calls share one. */
const contextAnswer = once((reply: Answered<ContextFacts>): SocketAnswer => ({
  status: reply.facts.reused ? 200 : 201,
  headers: { 'content-type': JSON_TYPE, location: `/v1/contexts/${reply.facts.logicalSessionRef}` },
  body: JSON.stringify(toContextBody(reply)),
}))

function fetchAnswer({ status, headers, body }: SocketAnswer): Response {
  return answer(body, status, headers)
}

async function table(gateway: Gateway, c: Context<Env>): Promise<Response> {
  const type = c.get('accepted')
  return answered(await gateway.table(c.get('caller'), param(c, 'ref')), ({ text, facts }) =>
    tagged(c, type === 'text/markdown' ? text : facts.table, `${type}; charset=utf-8`),
  )
}

/** The path names the session: a body of any other kind goes to the engine as it is, which says what is wrong with it. */
export function withRef(body: unknown, logicalSessionRef: string): unknown {
  const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isRecord ? { ...body, logical_session_ref: logicalSessionRef } : body
}

/** A parameter that the route's own path holds. */
export function param(c: Context<Env>, name: string): string {
  return c.req.param(name) ?? ''
}
