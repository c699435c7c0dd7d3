import type { DateFormat } from '../model.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The years 0 to 9999, which ISO dates can write. */
const CALENDAR = { first: -62_167_219_200_000, last: 253_402_300_799_999 } as const
/** Digits from here on are milliseconds; below, seconds (as milliseconds they would lie before 1973). */
const MILLISECONDS_FROM = 1e11

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?$/
const RELATIVE =
  /^(?:(?:now|today)(?:([+-])(\d{1,6})([smhdw]))?|tomorrow|yesterday|(next|last|this) (week|month|year)|(\d{1,6}) (day|week|month|year)s? ago)$/

/**
 * Encodes a date for an API, from ISO dates and times, digits since the epoch (seconds or milliseconds), or words relative
 * to `now` (`today`, `yesterday`, `next week`, `now-1h`, `today-7d`, `3 days ago`; days begin at midnight UTC). Without `now`, words
 * stay words and are marked `relative`. Undefined if the text is not a date.
 */
export function encodeDate(
  text: string,
  format: DateFormat,
  now?: number,
): { readonly value: string | number; readonly relative?: true } | undefined {
  const trimmed = text.trim()
  const words = trimmed
    .toLowerCase()
    .replace(/(?<=[a-z])[-_](?=[a-z])/g, ' ')
    .replace(/^(now|today) ?([+-]) ?(?=\d)/, '$1$2')
  if (words.length <= 32 && RELATIVE.test(words)) {
    if (now === undefined) return { value: trimmed, relative: true }
    const moment = relativeMoment(words, now)
    return moment === undefined || !isInCalendar(moment) ? undefined : { value: encode(moment, format) }
  }
  if (/^-?\d{1,16}(?:\.\d{1,9})?$/.test(trimmed)) return fromDigits(trimmed, format)
  return fromIso(trimmed, format)
}

function isInCalendar(moment: number): boolean {
  return moment >= CALENDAR.first && moment <= CALENDAR.last
}

/** Whether the text is a word for a moment of the time of its use: `now-1h`. */
export function isRelative(text: string, format: DateFormat): boolean {
  return encodeDate(text, format)?.relative === true
}

function fromDigits(text: string, format: DateFormat): { readonly value: string | number } | undefined {
  const digits = Number(text)
  const isMilliseconds = Math.abs(digits) >= MILLISECONDS_FROM
  const moment = isMilliseconds ? digits : digits * SECOND
  if (!isInCalendar(moment)) return undefined
  // Digits in the unit of the API stay as they are: a message may be named by its fraction of a second.
  if (format === (isMilliseconds ? 'unix_ms' : 'unix_sec')) return { value: plainNumber(text, digits) }
  return { value: encode(moment, format) }
}

/** The digits as a number where that keeps them, else as text. */
function plainNumber(text: string, digits: number): string | number {
  return String(digits) === text.replace(/\.0*$/, '') ? digits : text
}

function fromIso(text: string, format: DateFormat): { readonly value: string | number } | undefined {
  const match = ISO.exec(text)
  if (!match) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [hour, minute, second] = [Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0)]
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 60) return undefined
  const zone = match[8]
  // A complete RFC 3339 time goes out as written: its offset may matter to the reader.
  if (format === 'rfc3339' && match[6] !== undefined && zone?.length !== 5 && zone !== undefined) {
    return { value: text.replace(' ', 'T') }
  }
  if (format === 'iso8601_date') return { value: text.slice(0, 10) }
  const fraction = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const moment =
    dayNumber(year, month, day) * DAY + hour * HOUR + minute * MINUTE + second * SECOND + fraction
  return { value: encode(moment - offsetOf(zone), format) }
}

function offsetOf(zone: string | undefined): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '')
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * HOUR + Number(match[3]) * MINUTE)
}

function relativeMoment(words: string, now: number): number | undefined {
  const match = RELATIVE.exec(words)
  if (!match) return undefined
  const today = Math.floor(now / DAY) * DAY
  const [, sign, count, unit, which, span, ago, agoUnit] = match
  if (words.startsWith('now') || words.startsWith('today'))
    return (
      (words.startsWith('now') ? now : today) +
      (sign === '-' ? -1 : 1) * Number(count ?? 0) * unitLength(unit ?? 's')
    )
  if (words === 'tomorrow') return today + DAY
  if (words === 'yesterday') return today - DAY
  if (ago !== undefined) return shifted(today, agoUnit ?? 'day', -Number(ago))
  if (which === 'this') return startOf(today, span ?? 'week')
  return shifted(today, span ?? 'week', which === 'next' ? 1 : -1)
}

function unitLength(unit: string): number {
  return { s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }[unit] ?? SECOND
}

function startOf(today: number, span: string): number {
  const { year, month } = civil(today / DAY)
  if (span === 'year') return dayNumber(year, 1, 1) * DAY
  if (span === 'month') return dayNumber(year, month, 1) * DAY
  // The epoch was a Thursday; weeks begin on Monday.
  return today - ((((today / DAY + 3) % 7) + 7) % 7) * DAY
}

function shifted(today: number, unit: string, by: number): number {
  if (unit === 'day') return today + by * DAY
  if (unit === 'week') return today + by * 7 * DAY
  const { year, month, day } = civil(today / DAY)
  const months = year * 12 + (month - 1) + by * (unit === 'year' ? 12 : 1)
  const [newYear, newMonth] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1]
  return dayNumber(newYear, newMonth, Math.min(day, daysIn(newYear, newMonth))) * DAY
}

function encode(moment: number, format: DateFormat): string | number {
  if (format === 'unix_ms') return Math.round(moment)
  if (format === 'unix_sec') return Math.floor(moment / SECOND)
  const { year, month, day } = civil(Math.floor(moment / DAY))
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
  if (format === 'iso8601_date') return date
  const rest = moment - Math.floor(moment / DAY) * DAY
  const [h, m, s] = [Math.floor(rest / HOUR), Math.floor(rest / MINUTE) % 60, Math.floor(rest / SECOND) % 60]
  const fraction = Math.floor(rest % SECOND)
  return `${date}T${pad(h)}:${pad(m)}:${pad(s)}${fraction === 0 ? '' : `.${pad(fraction, 3)}`}Z`
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0')
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Days since 1970-01-01 in the Gregorian calendar: years begin in March, so that leap days come last. */
function dayNumber(year: number, month: number, day: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year
  const era = Math.floor(shiftedYear / 400)
  const yearOfEra = shiftedYear - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  )
}

/** The date of a day number: the inverse of `dayNumber`. */
function civil(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const moved = days + 719_468
  const era = Math.floor(moved / 146_097)
  const dayOfEra = moved - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  }
}
