import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Store } from '../../engine/store.ts'
import { appProblem } from '../problems.ts'

/**
 * Writes and reads an entry that expires by itself, under an owner that no caller can be. Returns the time it took and the
 * difference between the store's clock and ours, both in ms.
 *
 * Gives `round_trip`. Rejects as the store does.
 */
export async function roundTrip(
  held: Store,
  now: () => number,
): Promise<Result<{ readonly ms: number; readonly skew: number }>> {
  const owner = { address: 'doctor', principal: '["doctor"]' }
  const began = now()
  const written = JSON.stringify({ doctor: began })
  const name = await held.append({ owner, kind: 'plan', body: written, lifeMs: 60_000 })
  const entry = await held.read(owner, 'plan', String(name))
  if (entry?.body !== written)
    return failed([appProblem('round_trip', { reason: `it holds ${entry?.body ?? 'nothing'}` })])
  const { now: theirs } = await held.findByRef(owner.principal, { ordinal: 0 })
  const ended = now()
  // The store's time was read between our two readings.
  const apart = Math.max(0, began - theirs, theirs - ended)
  return ok({ ms: ended - began, skew: apart })
}
