import { quantile, verdict, type Effort, type Verdict } from './measure.ts'

/** Two ways of answering, compared by how long their callers wait. */
export interface LatencyContest {
  readonly ours: () => Promise<unknown>
  readonly base: () => Promise<unknown>
  /** Done between the batches, unmeasured: writes that keep sweepers going. */
  readonly meanwhile?: () => Promise<unknown>
  /** How many times the base's waits ours may be, at the median and at the 99th percentile. */
  readonly bounds: { readonly p50: number; readonly p99?: number }
  readonly close?: () => Promise<void>
}

const BATCH = 100
const SHARES = { p50: 0.5, p99: 0.99 } as const

/** Calls both, one call at a time, in batches that take turns, and compares how long they made the caller wait. */
export async function measureLatency(
  { ours, base, meanwhile, bounds }: LatencyContest,
  { name, store }: { readonly name: string; readonly store: string },
  { rounds, mostMs }: Effort,
): Promise<readonly Verdict[]> {
  const waits = { ours: [] as number[], base: [] as number[] }
  const began = performance.now()
  const isOver = (share: number) => performance.now() - began > mostMs * share
  const batch = async (work: () => Promise<unknown>, into?: number[]) => {
    for (let call = 0; call < BATCH; call++) {
      const start = performance.now()
      await work()
      into?.push((performance.now() - start) * 1000)
    }
  }
  for (let round = 0; round < rounds && !isOver(0.3); round++) {
    await batch(ours)
    await batch(base)
  }
  for (let round = 0; round < rounds && !(isOver(1) && round > 1); round++) {
    await meanwhile?.()
    // By turns: the first batch meets what the writes left to do.
    const turns = [() => batch(ours, waits.ours), () => batch(base, waits.base)]
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
  }
  return (['p50', 'p99'] as const).map((at) => {
    const [us, baseUs] = [quantile(waits.ours, SHARES[at]), quantile(waits.base, SHARES[at])]
    return verdict(
      { name: `${name}, ${at}`, store, ours: us, base: baseUs, unit: 'µs', ratio: us / baseUs },
      bounds[at],
    )
  })
}
