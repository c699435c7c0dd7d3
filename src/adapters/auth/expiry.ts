import { dayOf, midnight } from '../../base/calendar.ts'

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A date, or a date and a time with their zone: without one the moment would depend on the server's. */
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/**
 * Reads `90d`, `12h`, `30m` from now, a date (its midnight in UTC), or a date and time with a zone; undefined for anything
 * else and for moments in the past. In milliseconds since 1970.
 */
export function expiryOf(text: string, now: number): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  const at = count === undefined ? momentOf(text) : now + Number(count) * (UNITS[unit] ?? Number.NaN)
  return at !== undefined && at > now ? at : undefined
}

function momentOf(text: string): number | undefined {
  const match = MOMENT.exec(text)
  if (!match) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  // `Date.parse` takes the 31st of any month for a day of the next.
  return dayOf(midnight({ year, month, day })).day === day ? Date.parse(text) : undefined
}
