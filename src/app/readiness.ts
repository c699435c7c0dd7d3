import { statfs } from 'node:fs/promises'
import type { PolicySource } from '../adapters/auth/policy-file.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/read.ts'
import type { Store } from '../engine/store.ts'
import type { Faulty } from '../surfaces/http/routes/health.ts'
import { roundTrip } from './doctor/round-trip.ts'
import { storeFile } from './stores.ts'

/** Below this much free disk space, a store in the data directory may fail to write. */
const MIN_FREE_BYTES = 64 * 1024 * 1024
/** Probes within this time share one answer, so that many probes cause few writes. */
const SHARED_MS = 1000

interface ReadinessParts {
  readonly config: Pick<Config, 'store' | 'dataDir'>
  readonly store: Store
  readonly policy: PolicySource
  readonly clock: Clock
}

/** Checks what requests need: a store that returns what was written, a policy that can be read, and free disk space. */
export function readiness(parts: ReadinessParts): () => Promise<readonly Faulty[]> {
  let checkedAt = -Infinity
  let answer: Promise<readonly Faulty[]> | undefined
  return () => {
    const now = parts.clock.now()
    if (!answer || Math.abs(now - checkedAt) >= SHARED_MS) {
      checkedAt = now
      answer = faulty(parts)
    }
    return answer
  }
}

async function faulty({ config, store, policy, clock }: ReadinessParts): Promise<readonly Faulty[]> {
  const found = await Promise.all([
    failing('store', async () => (await roundTrip(store, () => clock.now())).ok),
    failing('policy', async () => {
      await policy.refresh()
      return true
    }),
    failing('disk', async () => !storeFile(config) || (await freeBytes(config.dataDir)) >= MIN_FREE_BYTES),
  ])
  return found.flat()
}

async function failing(part: Faulty, works: () => Promise<boolean>): Promise<readonly Faulty[]> {
  return (await works().catch(() => false)) ? [] : [part]
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
