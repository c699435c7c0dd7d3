import type { Owner } from '../../execution/store.ts'
import type { Parts } from '../parts.ts'
import type { StoredRun } from './stored-run.ts'

/** How long a run is taken to live without a word from it; and how often it gives one. */
export const LEASE_MS = 30_000
const RENEWED_MS = 10_000
/** That it is there is all that it says. */
const WORD = 'null'

/**
 * Renews the lease of a run until the returned function is called. A run whose process ended, or could not reach the store
 * for as long as a lease lasts, is taken for cut off.
 */
export function holdLease({ store, every }: Parts, owner: Owner, run: string): () => void {
  let version = 0
  return every(RENEWED_MS, async () => {
    if (version > 0 && (await store.replace(owner, 'lease', run, version, WORD, LEASE_MS))) version++
    else version = (await store.claim(owner, 'lease', run, WORD, LEASE_MS)) ? 1 : 0
  })
}

/** Until when the run is taken to live, in milliseconds on the store's clock. */
export async function leasedUntil(
  { store }: Parts,
  owner: Owner,
  { run, runsUntil = 0 }: Pick<StoredRun, 'run' | 'runsUntil'>,
): Promise<number> {
  const lease = run === undefined ? null : await store.read(owner, 'lease', run)
  return Math.max(runsUntil, lease?.expiresAt ?? 0)
}
