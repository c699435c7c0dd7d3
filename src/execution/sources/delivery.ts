import type { Problem } from '../../base/diagnostic.ts'
import type { ServedCatalog } from '../../catalog/model.ts'
import { type Invocation, whereOf } from '../invocation.ts'
import { problem } from '../problems.ts'
import type { CallContext, Sent } from '../source.ts'

export type CallFailure = Extract<Sent, { ok: false }>

interface Limits {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** One call that is ready to be sent. */
interface Delivery<Value> {
  readonly invocation: Invocation
  readonly context: CallContext
  /** Ends the call. For a change: one that never aborts. */
  readonly signal: AbortSignal
  /** Sends it to the catalog as it is served now. */
  readonly send: (catalog: ServedCatalog, limits: Limits) => Promise<Delivered<Value>>
}

type Delivered<Value> =
  | { readonly ok: true; readonly value: Value; readonly requests: number; readonly bytes: number }
  | {
      readonly ok: false
      readonly problem: Problem
      /** May the API have acted on it? */
      readonly acted: CallFailure['acted']
      readonly requests: number
      /** Of the API's answer, where it has one. */
      readonly status?: number
      /** The caller's rights ended before it left. */
      readonly isRefused?: true
    }

/**
 * Sends a call within the run's budget and its catalog's share of calls under way, if the caller may make it at this
 * moment.
 */
export async function deliver<Value>({
  invocation,
  context: { world, meter },
  signal,
  send,
}: Delivery<Value>): Promise<{ readonly ok: true; readonly value: Value } | CallFailure> {
  const where = whereOf(invocation)
  const what = `\`${where.catalog}\` ${where.capability}`
  const leave = await meter.enter(where.catalog)
  try {
    if (world.signal.aborted) return stopped(problem('cancelled', { what }), 'cancelled')
    const admitted = await world.admit(invocation)
    if (!admitted.ok) return refused(admitted.problems)
    const over = meter.start(what)
    if (over) return stopped(over, 'budget')
    const sent = await send(admitted.value, { signal, ...meter.limits() })
    if (sent.ok) {
      meter.finish(sent.requests, sent.bytes)
      return { ok: true, value: sent.value }
    }
    meter.finish(sent.requests, 0)
    if (signal.aborted)
      return {
        ok: false,
        problem: problem('cancelled', { what: `${what} had answered` }),
        why: 'cancelled',
        acted: 'no',
      }
    if (sent.isRefused) return refused([sent.problem])
    const { acted, status } = sent
    const late = meter.overTime(what)
    if (late) return { ok: false, problem: late, why: 'budget', acted }
    return { ok: false, problem: sent.problem, why: 'failed', acted, ...(status !== undefined && { status }) }
  } finally {
    leave()
  }
}

function refused([found]: readonly Problem[]): CallFailure {
  if (!found) throw new Error('a refusal states a problem')
  return stopped(found, 'failed')
}

function stopped(found: Problem, why: CallFailure['why']): CallFailure {
  return { ok: false, problem: found, why, acted: 'not_sent' }
}
