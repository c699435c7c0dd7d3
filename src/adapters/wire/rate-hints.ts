/** The parts of a response that state rate limits. Header names are in lower case. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The rate limits that an API states, in milliseconds from now. */
export interface Hint {
  /** It accepts no request for this long. */
  readonly closedMs?: number
  /** It accepts this many more requests for this long. */
  readonly window?: { readonly left: number; readonly forMs: number }
}

/** `RateLimit-Remaining` and its variants, by prefix. */
const FAMILIES = ['ratelimit', 'x-ratelimit', 'x-rate-limit']

/** Marks limits of only some paths of the API. Which ones is unknown, so other calls must not wait for them. */
const PARTIAL = ['x-ratelimit-resource', 'x-ratelimit-bucket']

/**
 * Reads `Retry-After` of a 429 (RFC 9110, section 10.2.3), and the limits in `RateLimit` (the IETF's drafts: items such as
 * `"day";r=5;t=30`, earlier `limit=9, remaining=5, reset=30`) or in the `X-RateLimit-*` of many APIs.
 *
 * @param now milliseconds since the Unix epoch
 * @param mostMs the longest wait that an API can impose; afterwards it is asked again
 */
export function hintOf({ status, headers }: Answered, now: number, mostMs: number): Hint {
  const closedMs = status === 429 ? Math.min(retryAfterMs(headers['retry-after'], now), mostMs) : 0
  const window = PARTIAL.some((name) => Object.hasOwn(headers, name))
    ? undefined
    : windowOf(headers, now, mostMs)
  return { ...(closedMs > 0 && { closedMs }), ...(window && { window }) }
}

/** The milliseconds that `Retry-After` asks for, in seconds or by date; 0 if it is absent. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}

function windowOf(headers: Answered['headers'], now: number, mostMs: number): Hint['window'] {
  if (!Object.keys(headers).some((name) => name.includes('rate'))) return undefined
  const found = [
    ...FAMILIES.map((name) => ({ left: headers[`${name}-remaining`], reset: headers[`${name}-reset`] })),
    ...draftItems(headers['ratelimit'] ?? ''),
  ].flatMap(({ left, reset }) => {
    const [leftCount, resetSeconds] = [whole(left), whole(reset)]
    if (leftCount === undefined || resetSeconds === undefined) return []
    return [{ left: leftCount, forMs: Math.min(resetMs(resetSeconds, now), mostMs) }]
  })
  // Of several windows, the one that is exhausted first; of equal ones, the longest.
  return found.toSorted((a, b) => a.left - b.left || b.forMs - a.forMs)[0]
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

/** Some APIs state the remaining seconds, others a time in seconds or milliseconds. */
function resetMs(reset: number, now: number): number {
  if (reset < 1e9) return reset * 1000
  return Math.max(0, (reset < 1e11 ? reset * 1000 : reset) - now)
}
