import type { Attempt } from './exchange.ts'
import { retryAfterMs } from './rate-hints.ts'

/** The most retries of one call. */
export const MAX_RETRIES = 2

const FIRST_PAUSE_MS = 200

/** Transient statuses. */
const PASSING = new Set([429, 502, 503, 504])

/** May a retry of the same call succeed? */
export function mayPass(attempt: Attempt): boolean {
  return attempt.kind === 'reply' ? PASSING.has(attempt.status) : attempt.passing
}

/**
 * Milliseconds to wait before the next attempt: twice as long each time, with jitter, and at least as long as the API
 * asks for in `Retry-After` (seconds or a date), up to `mostMs`.
 *
 * @param random from 0 to 1
 */
export function pauseBefore(
  attempt: Attempt,
  retries: number,
  { random, now, mostMs }: { readonly random: number; readonly now: number; readonly mostMs: number },
): number {
  const backoff = FIRST_PAUSE_MS * 2 ** retries * (0.5 + random / 2)
  const asked = attempt.kind === 'reply' ? retryAfterMs(attempt.headers['retry-after'], now) : 0
  return Math.max(backoff, Math.min(asked, mostMs))
}
