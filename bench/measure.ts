/** Two ways of answering, measured side by side. */
export interface Contest {
  readonly name: string
  /** The store that ours works on. */
  readonly store: 'memory' | 'sqlite'
  readonly ours: () => unknown
  readonly base: () => unknown
  /** Ours may cost so many times what the base costs; absent: only reported. */
  readonly bound?: number
}

/** CPU time in microseconds a call (user and system, all threads of the process): medians over the rounds. */
export interface Verdict {
  readonly name: string
  readonly store: string
  readonly oursUs: number
  readonly baseUs: number
  /** Median of the rounds' own ratios: what slows the machine for a while slows both. */
  readonly ratio: number
  readonly bound?: number
  readonly holds: boolean
}

export interface Effort {
  readonly rounds: number
  /** How long the base works in one round: long enough for the clock of the CPU, short enough to interleave. */
  readonly roundMs: number
}

/** Lets both work in turns, each first in every other round, and compares what they used. */
export async function measure(contest: Contest, { rounds, roundMs }: Effort): Promise<Verdict> {
  const { ours, base } = contest
  const calls = await callsFor(base, roundMs)
  await cpuPerCall(ours, calls)
  const taken: { readonly ours: number; readonly base: number }[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await cpuPerCall(ours, calls)
      taken.push({ ours: first, base: await cpuPerCall(base, calls) })
    } else {
      const first = await cpuPerCall(base, calls)
      taken.push({ base: first, ours: await cpuPerCall(ours, calls) })
    }
  }
  const ratio = median(taken.map((round) => round.ours / round.base))
  return {
    name: contest.name,
    store: contest.store,
    oursUs: median(taken.map((round) => round.ours)),
    baseUs: median(taken.map((round) => round.base)),
    ratio,
    ...(contest.bound !== undefined && { bound: contest.bound }),
    holds: contest.bound === undefined || ratio <= contest.bound,
  }
}

/** So many calls as take the time given, warmed up. */
async function callsFor(work: () => unknown, roundMs: number): Promise<number> {
  await cpuPerCall(work, 50)
  const each = await cpuPerCall(work, 50)
  return Math.max(10, Math.round((roundMs * 1000) / Math.max(each, 0.1)))
}

async function cpuPerCall(work: () => unknown, calls: number): Promise<number> {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) {
    const answer = work()
    // What answers at once is not made to wait.
    if (answer instanceof Promise) await answer
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = 0, high = 0] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1, middle + 1)
  return (low + high) / 2
}
