import type { Json } from '../../../base/canonical.ts'
import type { Problem } from '../../../base/diagnostic.ts'
import type { Capability } from '../../../catalog/model.ts'
import type { HttpRequest } from '../../../catalog/calls/http-request.ts'
import { answerProblem, statusProblem, verdictIn } from '../../http/response/answer.ts'
import { type Invocation, whereOf } from '../../invocation.ts'
import { problem, type Where } from '../../problems.ts'
import type { CallContext } from '../../source.ts'
import { type CallFailure, deliver } from '../delivery.ts'
import type { UnaddressedCall, WireCall, WireFailure, WireReply } from '../../wire.ts'
import { sendPastSlash } from './slash.ts'

/** What bodies of answers say is wrong although their status is a success. */
export interface AnswerReading {
  /** Why the call gave nothing. */
  readonly errorIn: (body: Json) => string | undefined
  /** Why a part of what was read is missing. */
  readonly partialIn?: (body: Json) => string | undefined
  /** Whether the API acted on a call that it answered with an error; otherwise the status tells. */
  readonly actedIn?: (body: Json) => 'no' | 'yes' | 'unknown'
}

/** One invocation over HTTP. */
export interface Exchange {
  readonly request: HttpRequest
  readonly invocation: Invocation
  readonly context: CallContext
  readonly reads: AnswerReading
}

/** What it takes to send a call; one without a request of the catalog has no answer that the catalog describes. */
type Sender = Omit<Exchange, 'request'> & Partial<Pick<Exchange, 'request'>>

export type CallResult =
  { readonly ok: true; readonly reply: WireReply; readonly call: WireCall } | CallFailure

/** Sends a read within the run's budget and its catalog's share of calls under way. */
export async function sendRead(exchange: Sender, call: UnaddressedCall): Promise<CallResult> {
  return send(exchange, call, exchange.context.world.signal)
}

/**
 * Sends an effect: once it has left, the run waits for what becomes of it, cancelled or not. Where its outcome is unknown and
 * it carries a key by which the API recognises a repeated write, it is sent once more: only a success of that tells.
 */
export async function sendEffect(
  exchange: Exchange,
  call: UnaddressedCall,
  { isKeyed }: { readonly isKeyed: boolean },
): Promise<CallResult> {
  const once = () => send(exchange, { ...call, repeatable: false }, new AbortController().signal)
  const first = await once()
  if (first.ok || first.acted !== 'unknown' || !isKeyed) return first
  const second = await once()
  return second.ok || second.acted === 'yes' ? second : first
}

async function send(
  { invocation, context, reads, request }: Sender,
  unaddressed: UnaddressedCall,
  signal: AbortSignal,
): Promise<CallResult> {
  const where = whereOf(invocation)
  const { capability } = invocation
  const { wire } = context.world
  const sent = await deliver({
    invocation,
    context,
    signal,
    send: async (catalog, limits) => {
      const call = { ...unaddressed, catalog, admit: () => context.world.admit(invocation) }
      const answer = await sendPastSlash(wire, call, limits)
      if (answer.ok) {
        const { requests, bytes } = answer.reply
        return { ok: true, value: { reply: answer.reply, call }, requests, bytes }
      }
      const { failure } = answer
      const { requests } = failure
      if (failure.isRefused)
        return { ok: false, problem: failure.problem, acted: 'not_sent', requests, isRefused: true }
      return {
        ok: false,
        problem: failureProblem(failure, where),
        acted: actedOf(failure, capability),
        requests,
        ...(failure.status !== undefined && { status: failure.status }),
      }
    },
  })
  if (!sent.ok) return sent
  const { reply } = sent.value
  const errorIn = (body: Json) => reads.errorIn(body) ?? verdictIn(body, request?.response)
  const wrong = answerProblem(reply, where, errorIn)
  if (!wrong) return { ok: true, ...sent.value }
  const isSuccess = reply.status >= 200 && reply.status < 300
  const acted =
    (isSuccess ? reads.actedIn?.(reply.body) : undefined) ?? actedDespite(reply.status, capability)
  return { ok: false, problem: wrong, why: 'failed', acted, status: reply.status }
}

/** The problem of an answer whose data is only a part of what was asked for. */
export function partialProblem({ invocation, reads }: Exchange, body: Json): Problem | undefined {
  const detail = reads.partialIn?.(body)
  return detail === undefined ? undefined : problem('answer_partial', { ...whereOf(invocation), detail })
}

/** A status says more than the page that came with it; else the wire's problem, with its code, for this call. */
function failureProblem({ problem: found, status }: WireFailure, where: Where): Problem {
  if (status !== undefined && status >= 400) return statusProblem(status, '', '', where)
  return {
    ...problem('call_failed', { ...where, reason: found.message, next: found.next }),
    code: found.code,
  }
}

/** Whether the API acted on an effect whose answer was not received whole. */
function actedOf({ sent, status }: WireFailure, capability: Capability): CallFailure['acted'] {
  if (status === undefined) return sent === 'no' ? 'not_sent' : 'unknown'
  return status >= 200 && status < 300 ? 'yes' : actedDespite(status, capability)
}

/**
 * Whether the API acted although its answer states a problem. The catalog may say what a status means; else only a refusal
 * shows that nothing was done: after a write, an error may come from behind it, a redirect may lead to its result, and a
 * gateway does not know what the API behind it did.
 */
function actedDespite(status: number, { statusOutcomes }: Capability): CallFailure['acted'] {
  const declared = statusOutcomes?.[status]
  if (declared !== undefined) return declared === 'done' ? 'yes' : 'no'
  return isRefusal(status) ? 'no' : 'unknown'
}

/**
 * An error in the body of a success, a call that the API rejected (408: it may have acted before it stopped waiting), a
 * redirect that asks for the same call elsewhere, or a method that it does not have.
 */
function isRefusal(status: number): boolean {
  const isRejected = status >= 400 && status < 500 && status !== 408
  return status < 300 || isRejected || status === 307 || status === 308 || status === 501
}
