import { setTimeout as delay } from 'node:timers/promises'
import { StoreError, storeProblem } from '../problems.ts'
import { CORRUPT, FULL, isBusy, NOT_A_DATABASE, resultCode } from './driver.ts'

/** How long another process may keep the file locked before a call gives up. */
const PATIENCE_MS = 10_000
const LONGEST_PAUSE_MS = 40

/**
 * Does the work as soon as the file is unlocked, without blocking this process meanwhile. The work must leave no side
 * effects when it throws.
 */
export async function whenFree<T>(file: string, work: () => T, patienceMs = PATIENCE_MS): Promise<T> {
  const start = performance.now()
  for (let pause = 2; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw toStoreError(file, error)
      if (performance.now() - start > patienceMs)
        throw new StoreError(storeProblem('store_busy', { file }), { cause: error })
    }
    // Random pauses, so that colliding processes do not collide again.
    await delay(pause * (0.5 + Math.random()))
  }
}

/** Converts an SQLite error to a `StoreError`. Other errors stay as they are. */
export function toStoreError(file: string, error: unknown): unknown {
  const code = resultCode(error)
  if (code === undefined || !(error instanceof Error)) return error
  if (code === FULL) return new StoreError(storeProblem('store_full', { file }), { cause: error })
  const damaged = code === CORRUPT || code === NOT_A_DATABASE
  return new StoreError(
    storeProblem(damaged ? 'store_damaged' : 'store_failed', { file, detail: error.message }),
    { cause: error },
  )
}
