import { median, verdict, type Effort, type Verdict } from './measure.ts'

/** Two ways of answering whose waits are compared, not their work. */
export interface Race {
  readonly name: string
  readonly store: string
  readonly ours: () => Promise<unknown>
  readonly base: () => Promise<unknown>
  /** Done between the batches, unmeasured: writes that keep sweepers going. */
  readonly meanwhile?: () => Promise<unknown>
  /** How many times the base's middle and longest waits ours may be. */
  readonly bounds: { readonly p50: number; readonly p99?: number }
  readonly close?: () => Promise<void>
}

const BATCH = 100

/** Calls both, one call at a time, in batches that take turns, and compares how long they made the caller wait. */
export async function race(
  { name, store, ours, base, meanwhile, bounds }: Race,
  { rounds }: Effort,
): Promise<readonly Verdict[]> {
  const waits = { ours: [] as number[], base: [] as number[] }
  const batch = async (work: () => Promise<unknown>, into?: number[]) => {
    for (let call = 0; call < BATCH; call++) {
      const start = performance.now()
      await work()
      into?.push((performance.now() - start) * 1000)
    }
  }
  for (let round = 0; round < rounds; round++) {
    await batch(ours)
    await batch(base)
  }
  for (let round = 0; round < rounds; round++) {
    await meanwhile?.()
    // By turns: who comes first meets what the writes left to do.
    const turns = [() => batch(ours, waits.ours), () => batch(base, waits.base)]
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
  }
  return (['p50', 'p99'] as const).map((at) => {
    const [us, baseUs] = [quantile(waits.ours, at), quantile(waits.base, at)]
    return verdict(
      { name: `${name}, ${at}`, store, ours: us, base: baseUs, unit: 'µs', ratio: us / baseUs },
      bounds[at],
    )
  })
}

function quantile(waits: readonly number[], at: 'p50' | 'p99'): number {
  if (at === 'p50') return median(waits)
  const sorted = waits.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0
}
