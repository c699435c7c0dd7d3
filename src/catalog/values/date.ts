import { dayOf, daysIn, isInCalendar, isoTime, midnight } from '../../base/calendar.ts'
import type { DateFormat } from '../model.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
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
  const local = midnight({ year, month, day }) + hour * HOUR + minute * MINUTE + second * SECOND + fraction
  const moment = local - offsetOf(zone)
  return isInCalendar(moment) ? { value: encode(moment, format) } : undefined
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
  const { year, month } = dayOf(today)
  if (span === 'year') return midnight({ year, month: 1, day: 1 })
  if (span === 'month') return midnight({ year, month, day: 1 })
  // The epoch was a Thursday; weeks begin on Monday.
  return today - ((((today / DAY + 3) % 7) + 7) % 7) * DAY
}

function shifted(today: number, unit: string, by: number): number {
  if (unit === 'day') return today + by * DAY
  if (unit === 'week') return today + by * 7 * DAY
  const { year, month, day } = dayOf(today)
  const months = year * 12 + (month - 1) + by * (unit === 'year' ? 12 : 1)
  const [newYear, newMonth] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1]
  return midnight({ year: newYear, month: newMonth, day: Math.min(day, daysIn(newYear, newMonth)) })
}

/** A moment of the calendar as the API takes it. */
function encode(moment: number, format: DateFormat): string | number {
  if (format === 'unix_ms') return Math.round(moment)
  if (format === 'unix_sec') return Math.floor(moment / SECOND)
  const text = isoTime(moment)
  return format === 'iso8601_date' ? text.slice(0, 10) : text
}
