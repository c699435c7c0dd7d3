import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import {
  mayUse,
  planInput,
  runInput,
  type Gateway,
  type Reply,
  type RunFacts,
} from '../../../engine/index.ts'
import { limited } from '../admission/authenticated.ts'
import { jsonOrTextBody } from '../body.ts'
import { answer, jsonAnswer } from '../answer.ts'
import { httpProblem } from '../problems.ts'
import { ownProblemReply, problemReply } from '../problem-reply.ts'
import { answered, refused, type Env, type Route } from '../route.ts'
import { planBody, runBody, snapshotBody, toPlanBody, toRunBody } from '../../bodies/bodies.ts'
import { toLines } from '../lines.ts'
import { taggedJson } from '../tagged.ts'
import { param, withRef } from './contexts.ts'

const ref = z.object({ ref: z.string().describe('`s0` or `l_…`') })
const program = z.string().describe('The program')
const confirmed = z.string().optional().describe('The code from the refusal of a run, after a person agreed')
/** The most rows that a page can be asked for. */
const MAX_LIMIT = 9_999_999
const hasPlan = z.object({ plan: z.string() })
const runAnswers = {
  200: { 'application/json': runBody, 'text/markdown': z.string(), 'application/x-ndjson': z.string() },
}

/** Programs: checked, run, and what is left of their results. */
export function programRoutes(gateway: Gateway): readonly Route[] {
  return [
    {
      method: 'post',
      path: '/v1/contexts/{ref}/plan',
      name: 'planProgram',
      tag: 'Programs',
      summary: 'Check a program and show its plan; calls nothing (plasm)',
      parameters: ref,
      body: {
        'application/json': planInput.omit({ logical_session_ref: true }).meta({ id: 'PlanInput' }),
        'text/plain': program,
      },
      answers: { 200: { 'application/json': planBody } },
      handle: async (c) => {
        const input = await programInput(c)
        return input.ok
          ? answered(
              await gateway.plan(c.get('caller'), input.value, { announced: c.get('announced') }),
              (reply) => jsonAnswer(toPlanBody(reply)),
            )
          : refused(input)
      },
    },
    {
      method: 'post',
      path: '/v1/contexts/{ref}/run',
      name: 'runProgram',
      tag: 'Programs',
      summary: 'Run a program (plasm_run)',
      surfaces: ['http', 'confirm'],
      parameters: ref,
      query: z.object({
        plan: z.string().optional().describe('The plan of a program sent as text'),
        confirm: confirmed,
      }),
      body: {
        'application/json': runInput
          .omit({ logical_session_ref: true })
          .extend({ confirm: confirmed })
          .meta({ id: 'RunInput' }),
        'text/plain': program,
      },
      answers: runAnswers,
      handle: async (c) => {
        const input = await programInput(c)
        if (!input.ok) return refused(input)
        if (!mayUse(c.get('caller'), 'http') && !hasPlan.safeParse(input.value).success)
          return limited(c.get('caller'))
        return runAnswer(
          c,
          await gateway.run(c.get('caller'), input.value, {
            signal: c.req.raw.signal,
            announced: c.get('announced'),
            ...confirmedIn(input.value),
          }),
        )
      },
    },
    {
      method: 'get',
      path: '/v1/pages/{handle}',
      name: 'readPage',
      tag: 'Programs',
      summary: 'One more page of a result',
      parameters: z.object({ handle: z.string().describe('`s0_pg1`') }),
      query: z.object({
        limit: z.coerce.number().int().min(1).max(MAX_LIMIT).optional().describe('Rows at most'),
      }),
      answers: runAnswers,
      handle: async (c) => {
        const limit = c.req.query('limit')
        if (limit !== undefined && !/^[1-9]\d{0,6}$/.test(limit)) {
          const wanted = 'a whole number from 1'
          return ownProblemReply(
            httpProblem('invalid_parameter', { name: 'limit', wanted, actual: limit.slice(0, 50) }),
          )
        }
        const options = {
          signal: c.req.raw.signal,
          announced: c.get('announced'),
          ...(limit !== undefined && { limit: Number(limit) }),
        }
        return runAnswer(c, await gateway.page(c.get('caller'), param(c, 'handle'), options))
      },
    },
    {
      method: 'get',
      path: '/v1/contexts/{ref}/snapshots/{n}',
      name: 'readSnapshot',
      tag: 'Programs',
      summary: 'Every row of a result (`plasm://session/{ref}/r/{n}`)',
      parameters: ref.extend({ n: z.coerce.number().int().min(1) }),
      headers: ['etag'],
      answers: { 200: { 'application/json': snapshotBody } },
      handle: async (c) => {
        const uri = `plasm://session/${param(c, 'ref')}/r/${param(c, 'n')}`
        return answered(await gateway.snapshot(c.get('caller'), uri), ({ facts }) =>
          taggedJson(c, { uri: facts.uri, results: facts.results }),
        )
      },
    },
  ]
}

async function programInput(c: Context<Env>) {
  const body = await jsonOrTextBody(c.req)
  if (!body.ok) return body
  const { plan, confirm } = c.req.query()
  const asText = { ...(plan !== undefined && { plan }), ...(confirm !== undefined && { confirm }) }
  const input = 'json' in body.value ? body.value.json : { program: body.value.text, ...asText }
  return { ok: true as const, value: withRef(input, param(c, 'ref')) }
}

/** Beside the program, not in it: the engine takes it from a surface alone. */
function confirmedIn(input: unknown): { readonly confirmed?: string } {
  const given = z.object({ confirm: z.string() }).safeParse(input)
  return given.success ? { confirmed: given.data.confirm } : {}
}

function runAnswer(c: Context<Env>, reply: Reply<RunFacts>): Response {
  if (!reply.ok) {
    const { problems, text, confirm, facts } = reply
    return problemReply(problems, text, { confirm, effects: facts?.effects })
  }
  switch (c.get('accepted')) {
    case 'text/markdown':
      return answer(reply.text, 200, { 'content-type': 'text/markdown; charset=utf-8' })
    case 'application/x-ndjson':
      return answer(toLines(reply), 200, { 'content-type': 'application/x-ndjson; charset=utf-8' })
    default:
      return jsonAnswer(toRunBody(reply))
  }
}
