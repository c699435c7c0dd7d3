import type { Owner } from '../entry-store.ts'
import type { Parts } from '../parts.ts'
import type { StoredRun } from './stored-run.ts'

/** How long a lease lasts without renewal, and how often a run renews it. */
export const LEASE_MS = 30_000
const RENEWED_MS = 10_000
/** Only its existence matters. */
const BODY = 'null'

/**
 * Renews the lease of a run until the returned function is called. A run whose lease expired, because its process ended or
 * could not reach the store, counts as cut off.
 */
export function holdLease({ store, every }: Parts, owner: Owner, run: string): () => void {
  let version = 0
  return every(RENEWED_MS, async () => {
    if (
      version > 0 &&
      (await store.replace({ owner, kind: 'lease', name: run, version, body: BODY, lifeMs: LEASE_MS }))
    )
      version++
    else
      version = (await store.claim({ owner, kind: 'lease', name: run, body: BODY, lifeMs: LEASE_MS })) ? 1 : 0
  })
}

/** When the lease of the run expires, in milliseconds on the store's clock. */
export async function leasedUntil(
  { store }: Parts,
  owner: Owner,
  { run, runsUntil = 0 }: Pick<StoredRun, 'run' | 'runsUntil'>,
): Promise<number> {
  const lease = run === undefined ? null : await store.read(owner, 'lease', run)
  return Math.max(runsUntil, lease?.expiresAt ?? 0)
}
