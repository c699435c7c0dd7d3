import type { Problem } from '../../base/diagnostic.ts'
import type { Capability } from '../../catalog/model.ts'
import { problem, type Where } from '../problems.ts'
import { answerProblem, statusProblem } from '../http/response/answer.ts'
import type { Run } from '../run.ts'
import type { WireCall, WireFailure, WireReply } from '../wire.ts'

/** Why a call gave nothing: `failed` at the API, or stopped by the run itself. */
interface CallFailure {
  readonly ok: false
  readonly problem: Problem
  readonly why: 'failed' | 'budget' | 'cancelled'
  /** May the API have acted on it? `not_sent`: it never left. */
  readonly acted: 'not_sent' | 'no' | 'unknown' | 'yes'
}

export type CallResult = { readonly ok: true; readonly reply: WireReply } | CallFailure

/** Sends a read within the run's budget and its catalog's share of calls under way. */
export async function sendRead(run: Run, call: WireCall, capability: Capability): Promise<CallResult> {
  return send(run, call, capability, run.world.signal)
}

/** Sends an effect: once it has left, the run waits for what becomes of it, cancelled or not. */
export async function sendEffect(run: Run, call: WireCall, capability: Capability): Promise<CallResult> {
  return send(run, { ...call, repeatable: false }, capability, new AbortController().signal)
}

async function send(
  run: Run,
  call: WireCall,
  capability: Capability,
  signal: AbortSignal,
): Promise<CallResult> {
  const where = { catalog: call.catalog.id, capability: capability.name }
  const what = `\`${where.catalog}\` ${capability.name}`
  const leave = await run.meter.enter(where.catalog)
  try {
    if (run.world.signal.aborted) return stopped(problem('cancelled', { what }), 'cancelled')
    if (!run.world.allows(where.catalog, capability.name))
      return stopped(problem('not_allowed', where), 'failed')
    const over = run.meter.start(what)
    if (over) return stopped(over, 'budget')
    const limits = run.meter.limits()
    const answer = await run.world.wire.send(call, { signal, ...limits })
    if (!answer.ok) {
      const { failure } = answer
      run.meter.finish(failure.requests, 0)
      if (signal.aborted)
        return {
          ok: false,
          problem: problem('cancelled', { what: `${what} had answered` }),
          why: 'cancelled',
          acted: 'no',
        }
      const late = run.meter.overTime(what)
      if (late) return { ok: false, problem: late, why: 'budget', acted: acted(failure) }
      return { ok: false, why: 'failed', acted: acted(failure), problem: failureProblem(failure, where) }
    }
    run.meter.finish(answer.reply.requests, answer.reply.bytes)
    const wrong = answerProblem(answer.reply, where, capability.request?.graphql === true)
    return wrong
      ? { ok: false, problem: wrong, why: 'failed', acted: actedDespite(answer.reply.status) }
      : answer
  } finally {
    leave()
  }
}

function stopped(found: Problem, why: CallFailure['why']): CallFailure {
  return { ok: false, problem: found, why, acted: 'not_sent' }
}

/** A status says more than the page that came with it; else the wire's problem, with its code, for this call. */
function failureProblem({ problem: found, status }: WireFailure, where: Where): Problem {
  if (status !== undefined && status >= 400) return statusProblem(status, '', '', where)
  return {
    ...problem('call_failed', { ...where, reason: found.message, next: found.next }),
    code: found.code,
  }
}

/** What an effect came to whose answer could not be had. */
function acted({ sent, status }: WireFailure): CallFailure['acted'] {
  if (status === undefined) return sent === 'no' ? 'not_sent' : 'unknown'
  return status >= 200 && status < 300 ? 'yes' : actedDespite(status)
}

/** A gateway that gave up waiting does not know what the API behind it did. */
function actedDespite(status: number): CallFailure['acted'] {
  return status === 408 || status === 502 || status === 504 ? 'unknown' : 'no'
}
