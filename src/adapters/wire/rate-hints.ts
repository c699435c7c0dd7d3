/** What of an answer tells how often its API may be asked. Header names are in lower case. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** What an API lets us know of its limits; times in milliseconds since the Unix epoch. */
export interface Hint {
  /** It wants no request before. */
  readonly closedUntil?: number
  /** It takes so many more until then. */
  readonly window?: { readonly left: number; readonly until: number }
}

/** An API can make us wait at most so long; then it is asked again. */
const MAX_WAIT_MS = 3_600_000

/** `RateLimit-Remaining` and its kin, by what stands before it. */
const FAMILIES = ['ratelimit', 'x-ratelimit', 'x-rate-limit']

/** They say that the limit counts only some paths of the API, and nobody knows which: others must not wait for it. */
const PARTIAL = ['x-ratelimit-resource', 'x-ratelimit-bucket']

/**
 * Reads `Retry-After` of a 429 (RFC 9110, section 10.2.3), and the limits in `RateLimit` (the IETF's drafts: items such as
 * `"day";r=5;t=30`, earlier `limit=9, remaining=5, reset=30`) or in the `X-RateLimit-*` of many APIs.
 */
export function hintOf({ status, headers }: Answered, now: number): Hint {
  const retryMs = status === 429 ? retryAfterMs(headers['retry-after'], now) : 0
  const window = PARTIAL.some((name) => Object.hasOwn(headers, name)) ? undefined : windowOf(headers, now)
  return {
    ...(retryMs > 0 && { closedUntil: now + Math.min(retryMs, MAX_WAIT_MS) }),
    ...(window && { window }),
  }
}

/** Milliseconds that `Retry-After` asks for, in seconds or by date; 0 where it asks for none. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}

function windowOf(headers: Answered['headers'], now: number): Hint['window'] {
  if (!Object.keys(headers).some((name) => name.includes('rate'))) return undefined
  const found = [
    ...FAMILIES.map((name) => ({ left: headers[`${name}-remaining`], reset: headers[`${name}-reset`] })),
    ...draftItems(headers['ratelimit'] ?? ''),
  ].flatMap(({ left, reset }) => {
    const [leftCount, resetSeconds] = [whole(left), whole(reset)]
    if (leftCount === undefined || resetSeconds === undefined) return []
    return [{ left: leftCount, until: now + Math.min(resetMs(resetSeconds, now), MAX_WAIT_MS) }]
  })
  // Of several windows the one that is used up first; of equal ones the longest.
  return found.toSorted((a, b) => a.left - b.left || b.until - a.until)[0]
}

interface Item {
  readonly left: string | undefined
  readonly reset: string | undefined
}

/** The items of `RateLimit`: parameters `r` and `t`, or one item with `remaining` and `reset`. */
function draftItems(header: string): Item[] {
  const text = header.slice(0, 1000)
  const old = { left: parameter(text, 'remaining'), reset: parameter(text, 'reset') }
  return [
    old,
    ...text.split(',').map((item) => ({ left: parameter(item, 'r'), reset: parameter(item, 't') })),
  ]
}

function parameter(text: string, name: string): string | undefined {
  const found = text.split(/[;,]/).find((part) => part.trim().startsWith(`${name}=`))
  return found?.split('=')[1]
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined
}

/** Some tell the seconds that are left, others the time of day in seconds or milliseconds. */
function resetMs(reset: number, now: number): number {
  if (reset < 1e9) return reset * 1000
  return Math.max(0, (reset < 1e11 ? reset * 1000 : reset) - now)
}
