/* The Gregorian calendar in UTC: the only file of the pure modules that may use `Date`, which also reads the clock. */

/** A day of the calendar; months and days count from 1. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The years 0 to 9999, which ISO dates can write, in milliseconds since 1970. */
const FIRST = -62_167_219_200_000
const LAST = 253_402_300_799_999

/** Whether ISO dates can write the moment, in milliseconds since 1970. */
export function isInCalendar(moment: number): boolean {
  return moment >= FIRST && moment <= LAST
}

/** The midnight at which a day begins, in milliseconds since 1970; months and days beyond the last ones lead on. */
export function midnight({ year, month, day }: Day): number {
  // `Date.UTC` takes the years 0 to 99 for 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month - 1, day)
}

/** The day of a moment. */
export function dayOf(moment: number): Day {
  const date = new Date(moment)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** The number of days in a month. */
export function daysIn(year: number, month: number): number {
  return dayOf(midnight({ year, month: month + 1, day: 0 })).day
}

/** `2026-01-31T12:00:00Z`, with milliseconds where there are some; for moments that are in the calendar. */
export function isoTime(moment: number): string {
  return new Date(Math.floor(moment)).toISOString().replace('.000Z', 'Z')
}
