/** A token bucket: `burst` requests at once (at least 1), and `perSecond` more in each second (above 0). */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/*
 * The state of a bucket is one number, the time in milliseconds at which it is full again: rounding errors do not
 * accumulate, and a bucket that is full is the same as a new one.
 */

/** Milliseconds until the bucket holds so many tokens; if it never does, until it is full. */
export function waitFor(tokens: number, { perSecond, burst }: Rate, fullAt: number, now: number): number {
  return Math.max(0, fullAt - now - (Math.max(0, burst - tokens) * 1000) / perSecond)
}

/** The state after so many tokens were taken. */
export function without(tokens: number, { perSecond }: Rate, fullAt: number, now: number): number {
  return Math.max(fullAt, now) + (tokens * 1000) / perSecond
}

/** Tokens that the bucket holds. */
export function tokensIn({ perSecond, burst }: Rate, fullAt: number, now: number): number {
  return burst - (Math.max(0, fullAt - now) * perSecond) / 1000
}
