import type { Clock } from '../base/clock.ts'
import type { Problem } from '../base/diagnostic.ts'
import type { Budget } from './budget.ts'
import type { Usage } from './outcome.ts'
import { problem } from './problems.ts'

/** The use of a run, against its budget. */
export interface Meter {
  /** The part of the budget that is used up, if any. */
  readonly over: (what: string) => Problem | undefined
  /** Counts a call before it is sent, or gives the limit that forbids it. */
  readonly start: (what: string) => Problem | undefined
  /** Records the result of a started call. Requests beyond the first (retries) count as well. */
  readonly finish: (requests: number, bytes: number) => void
  /** The problem of a run that is out of time. */
  readonly overTime: (what: string) => Problem | undefined
  readonly effect: (what: string) => Problem | undefined
  /** The problem of more effects than the budget allows. */
  readonly effectsBeyond: (count: number, what: string) => Problem | undefined
  /** Counts decoded rows. */
  readonly rows: (count: number) => void
  /** The number of rows that may still be decoded. */
  readonly rowsLeft: () => number
  readonly limits: () => { readonly timeoutMs: number; readonly maxBytes: number }
  /** Waits for a free slot among the concurrent calls to a catalog; resolves to the function that frees it. */
  readonly enter: (catalog: string) => Promise<() => void>
  readonly usage: () => Usage
}

/** A meter at zero. */
export function makeMeter(budget: Budget, clock: Clock): Meter {
  const began = clock.now()
  const gates = new Map<string, () => Promise<() => void>>()
  let calls = 0
  let rows = 0
  let bytes = 0
  let effects = 0
  const elapsed = () => Math.max(0, clock.now() - began)

  const over = (what: string) => {
    const used = [
      ['time', elapsed(), budget.milliseconds],
      ['calls', calls, budget.calls],
      ['rows', rows, budget.rows],
      ['bytes', bytes, budget.bytes],
    ] as const
    const full = used.find(([, count, limit]) => count >= limit)
    return full && problem('budget_exhausted', { kind: full[0], used: full[1], limit: full[2], what })
  }

  return {
    over,
    start(what) {
      const found = over(what)
      if (!found) calls++
      return found
    },
    overTime: (what) =>
      elapsed() >= budget.milliseconds
        ? problem('budget_exhausted', { kind: 'time', used: elapsed(), limit: budget.milliseconds, what })
        : undefined,
    finish(requests, answered) {
      calls += Math.max(0, requests - 1)
      bytes += answered
    },
    effect(what) {
      if (effects >= budget.effects) {
        return problem('budget_exhausted', { kind: 'effects', used: effects, limit: budget.effects, what })
      }
      effects++
      return undefined
    },
    effectsBeyond: (count, what) => {
      const left = budget.effects - effects
      return count > left ? problem('too_many_effects', { what, count, left }) : undefined
    },
    rows: (count) => void (rows += count),
    rowsLeft: () => Math.max(0, budget.rows - rows),
    limits: () => ({
      timeoutMs: Math.max(1, Math.ceil(Math.min(budget.callMilliseconds, budget.milliseconds - elapsed()))),
      maxBytes: Math.max(1, Math.min(budget.answerBytes, budget.bytes - bytes)),
    }),
    enter(catalog) {
      let gate = gates.get(catalog)
      if (!gate) gates.set(catalog, (gate = makeGate(budget.concurrency)))
      return gate()
    },
    usage: () => ({ calls, rows, bytes, milliseconds: elapsed() }),
  }
}

/** A semaphore with a fixed number of slots; waiters are served in order. */
function makeGate(width: number): () => Promise<() => void> {
  let free = Math.max(1, width)
  // Served from the front by an index: `shift` would move all others.
  const waiting: (() => void)[] = []
  let served = 0
  const leave = () => {
    const next = waiting[served]
    if (!next) return void free++
    served++
    next()
  }
  return async () => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return leave
  }
}
