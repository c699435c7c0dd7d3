/** Two ways of answering, measured side by side. */
export interface Contest {
  readonly name: string
  /** The store that ours works on. */
  readonly store: string
  /** Both answer so many calls. */
  readonly ours: (calls: number) => unknown
  readonly base: (calls: number) => unknown
  /** Ours may cost so many times what the base costs; absent: only reported. */
  readonly bound?: number
  /** Lets go of what only this contest needs. */
  readonly close?: () => Promise<void>
}

/** What both came to, and how many times the base's ours is. */
export interface Verdict {
  readonly name: string
  readonly store: string
  readonly ours: number
  readonly base: number
  readonly unit: 'µs' | 'MB'
  readonly ratio: number
  readonly bound?: number
  readonly holds: boolean
}

export function verdict(facts: Omit<Verdict, 'holds' | 'bound'>, bound: number | undefined): Verdict {
  return {
    ...facts,
    ...(bound === undefined ? {} : { bound }),
    holds: bound === undefined || facts.ratio <= bound,
  }
}

export interface Effort {
  readonly rounds: number
  /** How long the base works in one round: long enough for the clock of the CPU, short enough to interleave. */
  readonly roundMs: number
}

/**
 * Lets both work in turns, each first in every other round, and compares what they used: CPU time in microseconds a call
 * (user and system, all threads of the process), medians over the rounds.
 */
export async function measure(contest: Contest, { rounds, roundMs }: Effort): Promise<Verdict> {
  const { ours, base } = contest
  const calls = await callsFor(base, roundMs)
  // Until the compiler has settled on both.
  for (let round = 0; round < rounds; round++) {
    await ours(calls)
    await base(calls)
  }
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
  // The median of the rounds' own ratios: what slows the machine for a while slows both.
  const ratio = median(taken.map((round) => round.ours / round.base))
  const [us, baseUs] = [median(taken.map((round) => round.ours)), median(taken.map((round) => round.base))]
  return verdict(
    { name: contest.name, store: contest.store, ours: us, base: baseUs, unit: 'µs', ratio },
    contest.bound,
  )
}

/** So many calls as take the time given, warmed up. */
async function callsFor(work: Contest['base'], roundMs: number): Promise<number> {
  await cpuPerCall(work, 50)
  const each = await cpuPerCall(work, 50)
  return Math.max(10, Math.round((roundMs * 1000) / Math.max(each, 0.1)))
}

async function cpuPerCall(work: Contest['base'], calls: number): Promise<number> {
  const before = process.cpuUsage()
  await work(calls)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = 0, high = 0] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1, middle + 1)
  return (low + high) / 2
}
