import type { Gateway } from '../engine/contract.ts'

/** An engine that can be waited for. */
export interface Drainable {
  readonly gateway: Gateway
  /** Resolves once no run is under way: an effect that left has come back by then, and stands in the ledger. */
  readonly settled: () => Promise<void>
}

/** Watches the calls of an engine that may have effects, so that nothing is taken away beneath them. */
export function drainable(gateway: Gateway): Drainable {
  const pending = new Set<Promise<unknown>>()
  const watched = <Answer>(work: Promise<Answer>): Promise<Answer> => {
    const done = () => pending.delete(work)
    pending.add(work)
    work.then(done, done)
    return work
  }
  return {
    gateway: {
      ...gateway,
      run: (caller, input, options) => watched(gateway.run(caller, input, options)),
      page: (caller, handle, options) => watched(gateway.page(caller, handle, options)),
    },
    settled: async () => {
      while (pending.size > 0) await Promise.allSettled(pending)
    },
  }
}
