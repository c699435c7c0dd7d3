import { canonicalJson, type Json, sameJson } from '../../base/canonical.ts'
import { encodeDate } from '../../catalog/values/date.ts'
import type { Type } from '../../catalog/model.ts'
import { isList, isRecord, scalarText } from '../../base/json.ts'

/** Digits as JSON or as text: the wire keeps integers beyond 2^53 as text. */
const DIGITS = /^-?\d{1,400}$/
const DECIMAL = /^-?(?:\d{1,400}(?:\.\d{1,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,3})?$/

/** Whether the value is absent or null. */
export function isNothing(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null
}

/** Whether the value is a number or numeric text. */
export function isNumeric(value: Json): value is number | string {
  return typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value))
}

/** An integer of any size; undefined for other values. */
export function bigInteger(value: Json): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && DIGITS.test(value) ? BigInt(value) : undefined
}

/** The type that values are ordered by. Of a text field whose values are all numbers, such as a count in quotes: as numbers. */
export function orderType(values: readonly (Json | undefined)[], type: Type | undefined): Type | undefined {
  const areNumbers = values.every((value) => isNothing(value) || isNumeric(value))
  return areNumbers && type?.kind === 'string' ? undefined : type
}

/**
 * Orders two values by their type: dates by moment, numbers by size (exact beyond 2^53), other values as text in code-unit
 * order. Without a type, numeric values are numbers.
 */
export function compareValues(a: Json, b: Json, type?: Type): number {
  if (type?.kind === 'date') {
    const [first, second] = [moment(a), moment(b)]
    if (first !== undefined && second !== undefined) return first - second
  }
  const textual = type?.kind === 'string' || type?.kind === 'select' || type?.kind === 'uuid'
  if (!textual && isNumeric(a) && isNumeric(b)) return compareNumbers(a, b)
  const [left, right] = [sortText(a), sortText(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function compareNumbers(a: number | string, b: number | string): number {
  const [left, right] = [bigInteger(a), bigInteger(b)]
  if (left === undefined || right === undefined) return Number(a) - Number(b)
  return left < right ? -1 : left > right ? 1 : 0
}

/** A date as milliseconds since the epoch. */
function moment(value: Json): number | undefined {
  const text = scalarText(value)
  const encoded = text === undefined ? undefined : encodeDate(text, 'unix_ms')
  return typeof encoded?.value === 'number' ? encoded.value : undefined
}

function sortText(value: Json): string {
  return scalarText(value) ?? canonicalJson(value)
}

/** Whether two values are equal. A number equals its digits, and a reference's id equals the object that has it. */
export function sameValue(a: Json, b: Json, type?: Type): boolean {
  if (isList(a) || isList(b) || isRecord(a) || isRecord(b)) return sameJson(a, b)
  return compareValues(a, b, type) === 0
}
