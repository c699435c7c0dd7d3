import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { oneOf } from '../../../base/diagnostic.ts'
import type { Caller, TraceMessage, Traces } from '../../../engine/index.ts'
import { answer, jsonAnswer } from '../answer.ts'
import { httpProblem } from '../problems.ts'
import { ownProblemReply } from '../problem-reply.ts'
import { refused, type Env, type Route } from '../route.ts'
import { param } from './contexts.ts'

const fact = z.union([z.string(), z.number(), z.boolean()])
const summary = z
  .object({
    trace_id: z.string(),
    logical_session_id: z.string(),
    status: z.enum(['live', 'completed']),
    started_at_ms: z.int(),
    ended_at_ms: z.int().nullable(),
    totals: z.record(z.string(), z.int()),
  })
  .meta({ id: 'TraceSummary' })
const detail = summary
  .extend({
    records: z.array(z.object({ seq: z.int(), at: z.int(), name: z.string() }).catchall(fact)),
  })
  .meta({ id: 'Trace' })
const traceList = z.object({ traces: z.array(summary) }).meta({ id: 'Traces' })
const STATUSES = ['all', 'live', 'completed'] as const
const query = z.object({
  offset: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Default: 50'),
  status: z.enum(STATUSES).optional().describe('Default: all'),
})
const id = z.object({ id: z.string().describe('`trace_id` of the list') })

/** How many messages wait for a reader; who is further behind is let go. */
const MAX_WAITING = 128
/** How often a silent stream shows that it is there. */
const KEEP_ALIVE_MS = 15_000
/** How often the credential of an open stream is verified again. */
const VERIFIED_MS = 500

/** What the caller's sessions did, as far as this process remembers it. */
export function traceRoutes(traces: Traces): readonly Route[] {
  return [
    {
      method: 'get',
      path: '/v1/traces',
      name: 'listTraces',
      tag: 'Traces',
      summary: "Traces of the caller's sessions, the latest event first",
      query,
      answers: { 200: { 'application/json': traceList } },
      handle: (c) => list(traces, c),
    },
    {
      method: 'get',
      path: '/v1/traces/{id}',
      name: 'getTrace',
      tag: 'Traces',
      summary: 'One trace with its latest events',
      parameters: id,
      answers: { 200: { 'application/json': detail } },
      handle: (c) => {
        const found = traces.read(c.get('caller'), param(c, 'id'))
        return found.ok ? jsonAnswer(found.value) : refused(found)
      },
    },
    {
      method: 'get',
      path: '/v1/traces/{id}/stream',
      name: 'followTrace',
      tag: 'Traces',
      summary:
        'One trace as server-sent events: `snapshot`, then `patch` with each event, then `terminal`; the comment `lagged` ends the stream of a slow reader, `credential revoked` that of an invalid credential',
      parameters: id,
      answers: { 200: { 'text/event-stream': z.string() } },
      handle: (c) => stream(traces, c),
    },
  ]
}

function list(traces: Traces, c: Context<Env>): Response {
  const parsed = query.safeParse(c.req.query())
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0] ?? '')
    const wanted = name === 'status' ? oneOf(STATUSES) : 'a whole number, `limit` from 1 to 200'
    const actual = (c.req.query(name) ?? '').slice(0, 50)
    return ownProblemReply(httpProblem('invalid_parameter', { name, wanted, actual }))
  }
  const { offset = 0, limit = 50, status = 'all' } = parsed.data
  return jsonAnswer({ traces: traces.list(c.get('caller'), { offset, limit, status }) })
}

function stream(traces: Traces, c: Context<Env>): Response {
  let keepAlive: NodeJS.Timeout | undefined
  let verifying: NodeJS.Timeout | undefined
  const first: TraceMessage[] = []
  let listener = (message: TraceMessage): void => void first.push(message)
  const followed = traces.follow(c.get('caller'), param(c, 'id'), (message) => listener(message))
  if (!followed.ok) return refused(followed)
  let ended = false
  const end = () => {
    ended = true
    followed.value()
    clearInterval(keepAlive)
    clearInterval(verifying)
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const send = (text: string) => controller.enqueue(new TextEncoder().encode(text))
        const close = (last: string) => {
          end()
          send(last)
          controller.close()
        }
        listener = (message) => {
          if (message.kind === 'terminal') close(eventText(message))
          else if ((controller.desiredSize ?? 0) > 0) send(eventText(message))
          else close(': lagged\n\n')
        }
        keepAlive = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) send(': keep-alive\n\n')
        }, KEEP_ALIVE_MS).unref()
        verifying = setInterval(() => {
          void stillHolds(c.get('caller')).then((holds) => {
            if (holds || ended) return
            close(': credential revoked\n\n')
          })
        }, VERIFIED_MS).unref()
        for (const message of first) listener(message)
      },
      cancel: () => end(),
    },
    { highWaterMark: MAX_WAITING },
  )
  return answer(body, 200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

/** A credential that cannot be verified now does not hold: a stream can be opened again. */
function stillHolds({ refresh }: Caller): Promise<boolean> {
  return refresh
    ? refresh().then(
        (holds) => holds,
        () => false,
      )
    : Promise.resolve(true)
}

function eventText(message: TraceMessage): string {
  return `event: ${message.kind}\nid: ${message.seq}\ndata: ${JSON.stringify(message)}\n\n`
}
