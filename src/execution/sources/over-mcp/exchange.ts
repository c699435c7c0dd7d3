import { failed, ok, type Result } from '../../../base/diagnostic.ts'
import type { ExactJson } from '../../../base/canonical.ts'
import { recordOf, scalarText } from '../../../base/json.ts'
import { parametersOf } from '../../../catalog/lookup.ts'
import type { McpOperation } from '../../../catalog/calls/mcp-operation.ts'
import { lowerInto } from '../../http/request/lower.ts'
import { apiMessage } from '../../http/response/message.ts'
import { type Invocation, whereOf } from '../../invocation.ts'
import type { McpAnswer, McpRequest } from '../../mcp.ts'
import { problem } from '../../problems.ts'
import type { CallContext } from '../../source.ts'
import { type CallFailure, deliver } from '../delivery.ts'

/** One invocation of an MCP server. */
export interface McpExchange {
  readonly operation: McpOperation
  readonly invocation: Invocation
  readonly context: CallContext
}

export type Answered = { readonly ok: true; readonly answer: McpAnswer } | CallFailure

/** What the server is asked for, with the call's own arguments. Gives `argument_missing`. */
export function requestOf({ operation, invocation }: McpExchange): Result<McpRequest> {
  if (operation.type === 'resources') return ok({ type: 'resources' })
  if (operation.type === 'tool')
    return ok({ type: 'tool', name: operation.name, arguments: argumentsOf(invocation) })
  if (operation.template !== undefined) {
    const values = [...invocation.arguments].flatMap(([name, value]) => {
      const text = scalarText(value)
      return text === undefined ? [] : [[name, text] as const]
    })
    return ok({ type: 'resource_template', template: operation.template, values: Object.fromEntries(values) })
  }
  const uri = invocation.identity?.['uri'] ?? scalarText(invocation.arguments.get('uri'))
  return uri === undefined
    ? failed([problem('argument_missing', { ...whereOf(invocation), name: 'uri' })])
    : ok({ type: 'resource', uri })
}

/** The arguments in the shape of the tool's input. */
function argumentsOf({ capability, arguments: given }: Invocation): { readonly [name: string]: ExactJson } {
  const input: { [name: string]: ExactJson } = Object.create(null)
  const parameters = parametersOf(capability)
  for (const [name, value] of given) {
    const parameter = parameters.get(name)
    if (parameter) lowerInto(input, parameter, value)
    else input[name] = value
  }
  return recordOf(Object.entries(input))
}

/**
 * Sends a call within the run's budget. A read ends with the run; once an effect has left, the run waits for what becomes of
 * it.
 */
export async function send(
  { invocation, context }: McpExchange,
  request: McpRequest,
  use: 'read' | 'effect',
): Promise<Answered> {
  const where = whereOf(invocation)
  const { world } = context
  const sent = await deliver({
    invocation,
    context,
    signal: use === 'read' ? world.signal : new AbortController().signal,
    send: async (catalog, limits) => {
      if (!world.mcp)
        return { ok: false, problem: problem('no_mcp_server', where), acted: 'not_sent', requests: 0 }
      const call = {
        catalog,
        admit: () => world.admit(invocation),
        capability: where.capability,
        request,
        repeatable: use === 'read',
      }
      const answer = await world.mcp.send(call, limits)
      if (answer.ok) {
        const { reply } = answer
        return { ok: true, value: reply.answer, requests: reply.requests, bytes: reply.bytes }
      }
      const { problem: found, acted, requests, isRefused } = answer.failure
      if (isRefused) return { ok: false, problem: found, acted, requests, isRefused }
      const stated = problem('call_failed', { ...where, reason: found.message, next: found.next })
      return { ok: false, problem: { ...stated, code: found.code }, acted, requests }
    },
  })
  if (!sent.ok) return sent
  const answer = sent.value
  if (answer.type !== 'tool' || !answer.isError) return { ok: true, answer }
  const detail = apiMessage(answer.data ?? answer.text) || 'no message'
  return { ok: false, problem: problem('api_error', { ...where, detail }), why: 'failed', acted: 'no' }
}
