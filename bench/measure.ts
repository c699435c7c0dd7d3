import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Two ways of doing the same, measured side by side. */
export interface Contest {
  /** Both do the work so many times; work done by child processes returns their CPU time in microseconds. */
  readonly ours: (calls: number) => unknown
  readonly base: (calls: number) => unknown
  /** How many times the base's cost ours may be; absent: only reported. */
  readonly bound?: number
  /** What the contest was run on, where that depends on the machine. */
  readonly subject?: string
  readonly close?: () => Promise<void>
}

/** What both cost, and how many times the base's cost ours is. */
export interface Verdict {
  readonly name: string
  readonly store: string
  readonly ours: number
  readonly base: number
  readonly unit: 'µs' | 'MB'
  readonly ratio: number
  /** The first and third quartile of the rounds' ratios; absent where there are no rounds. */
  readonly quartiles?: readonly [number, number]
  readonly bound?: number
  readonly holds: boolean
}

export function verdict(facts: Omit<Verdict, 'holds' | 'bound'>, bound: number | undefined): Verdict {
  return {
    ...facts,
    ...(bound !== undefined && { bound }),
    holds: bound === undefined || facts.ratio <= bound,
  }
}

export interface Effort {
  /** At most; fewer where the ratio is known before, or `mostMs` is over. */
  readonly rounds: number
  /** How long each works in one slice: long enough for the CPU clock, short enough that load hits both alike. */
  readonly sliceMs: number
  /** Wall-clock time of a contest, warming up included. */
  readonly mostMs: number
}

/** As few rounds give a median that means something. */
const FEWEST_ROUNDS = 5
/** As few rounds show how much the ratios differ. */
const FEWEST_TO_SETTLE = 15
/** The error of the median, as a share of it, below which further rounds teach nothing. */
const SETTLED = 0.01
/** The shares of a contest's time that warming up takes. */
const WARM_UP = { least: 0.3, most: 0.45 } as const
/** Old objects are collected only now and then: it takes as long as several slices. */
const ROUNDS_PER_FULL_COLLECTION = 10

/**
 * Measures both in slices that take turns (ours, base, base, ours) and compares the CPU time of a call in microseconds,
 * user and system, all threads of this process. The ratio is the median of the rounds' own ratios.
 */
export async function measure(
  { ours, base, bound }: Contest,
  named: { readonly name: string; readonly store: string },
  { rounds, sliceMs, mostMs }: Effort,
): Promise<Verdict> {
  const began = performance.now()
  const isOver = (share: number) => performance.now() - began > mostMs * share
  const calls = await callsFor(base, sliceMs)
  // A slice has costs of its own, such as the message to a client: in a shorter one they would weigh more.
  const ourCalls = await callsFor(ours, sliceMs)
  // Until the compiler has settled on both.
  const warming: number[] = []
  while (warming.length < rounds && !isOver(WARM_UP.most) && !(isOver(WARM_UP.least) && isLevel(warming)))
    warming.push((await cpuPerCall(ours, ourCalls)) / (await cpuPerCall(base, calls)))
  const taken: { readonly ours: number; readonly base: number }[] = []
  const ratios: number[] = []
  for (let round = 0; round < rounds && (round < FEWEST_ROUNDS || !isOver(1)); round++) {
    if (isSettled(ratios)) break
    if (round % ROUNDS_PER_FULL_COLLECTION === 0) collectGarbage()
    const first = await cpuPerCall(ours, ourCalls)
    const [second, third] = [await cpuPerCall(base, calls), await cpuPerCall(base, calls)]
    const found = { ours: (first + (await cpuPerCall(ours, ourCalls))) / 2, base: (second + third) / 2 }
    taken.push(found)
    ratios.push(found.ours / found.base)
  }
  return verdict(
    {
      ...named,
      ours: quantile(
        taken.map((round) => round.ours),
        0.5,
      ),
      base: quantile(
        taken.map((round) => round.base),
        0.5,
      ),
      unit: 'µs',
      ratio: quantile(ratios, 0.5),
      quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    },
    bound,
  )
}

/** Do the last rounds give the ratio that the rounds before them gave? */
function isLevel(ratios: readonly number[]): boolean {
  const [before, last] = [
    ratios.slice(-2 * FEWEST_TO_SETTLE, -FEWEST_TO_SETTLE),
    ratios.slice(-FEWEST_TO_SETTLE),
  ]
  if (before.length < FEWEST_TO_SETTLE) return false
  const ratio = quantile(last, 0.5)
  return Math.abs(quantile(before, 0.5) - ratio) < SETTLED * ratio
}

/** The error of a median: the distance of the quartiles by the square root of the count, nearly. */
function isSettled(ratios: readonly number[]): boolean {
  if (ratios.length < FEWEST_TO_SETTLE) return false
  const distance = quantile(ratios, 0.75) - quantile(ratios, 0.25)
  return distance / Math.sqrt(ratios.length) < SETTLED * quantile(ratios, 0.5)
}

/** So many calls as take the time given, warmed up. */
async function callsFor(work: Contest['base'], sliceMs: number): Promise<number> {
  let calls = 1
  for (;;) {
    const each = await cpuPerCall(work, calls)
    const wanted = Math.max(1, Math.round((sliceMs * 1000) / Math.max(each, 0.1)))
    if (calls >= Math.min(wanted, 50)) return wanted
    calls = Math.min(wanted, calls * 5)
  }
}

/** What came into being before a slice is collected before it, so that no slice pays for another's garbage. */
async function cpuPerCall(work: Contest['base'], calls: number): Promise<number> {
  collectGarbage({ type: 'minor' })
  const before = process.cpuUsage()
  const elsewhere = await work(calls)
  const { user, system } = process.cpuUsage(before)
  return (typeof elsewhere === 'number' ? elsewhere : user + system) / calls
}

setFlagsFromString('--expose-gc')
const collectGarbage: (options?: { readonly type: 'minor' }) => void = runInNewContext('gc')

/** The value below which such a share of the numbers lies, between two of them by their distance. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [low = 0, high = low] = sorted.slice(Math.floor(at), Math.floor(at) + 2)
  return low + (high - low) * (at - Math.floor(at))
}
