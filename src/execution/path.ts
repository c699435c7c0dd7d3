import type { Json } from '../base/canonical.ts'
import type { LiveRow } from './run.ts'

/** Is it a JSON object? */
export function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Is it a JSON list? */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The value under an own key (of an object) or index (of a list), if there is one: never what a prototype holds. */
export function child(value: Json | undefined, key: string | number): Json | undefined {
  if (isList(value)) {
    const index = typeof key === 'number' ? key : /^\d{1,9}$/.test(key) ? Number(key) : -1
    return value[index]
  }
  return isRecord(value) && Object.hasOwn(value, String(key)) ? value[String(key)] : undefined
}

/** The value at the end of a path of keys and indexes. */
export function walk(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let held = value
  for (const key of path) held = child(held, key)
  return held
}

/** Like `walk`, for a field name that may itself hold dots: the whole name first, then its parts. */
export function walkField(value: Json | undefined, field: string): Json | undefined {
  return child(value, field) ?? (field.includes('.') ? walk(value, field.split('.')) : undefined)
}

/** What a row stands for where a reference to it is wanted: its id, or all slots of a compound one. */
export function identityValue(row: LiveRow): Json | undefined {
  const slots = Object.entries(row.identity ?? {})
  const [only] = slots
  if (only === undefined) return undefined
  return slots.length === 1 ? (own(row.values, only[0]) ?? only[1]) : Object.fromEntries(slots)
}

/** The value of a row at a path; an empty path is its identity. Nested parts are looked for in what the API said as well. */
export function rowValue(row: LiveRow, path: readonly string[]): Json | undefined {
  const [first, ...rest] = path
  if (first === undefined) return identityValue(row)
  const held = own(row.values, first) ?? own(row.identity ?? {}, first)
  if (rest.length === 0) return held
  const joined = row.joined?.get(first)
  return walk(held, rest) ?? (joined ? rowValue(joined, rest) : walk(row.raw, path))
}

function own(values: Readonly<Record<string, Json>>, key: string): Json | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined
}

/** A scalar as text: what paths, ids and queries carry. Nothing for null, lists and objects. */
export function scalarText(value: Json | undefined): string | undefined {
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined
}

/** Sets an own key that comes from outside: `__proto__` is a key like any other. */
export function setOwn(record: { [key: string]: Json }, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true })
  else record[key] = value
}

/** An object whose keys come from outside: `__proto__` is a key like any other. */
export function recordOf(entries: Iterable<readonly [string, Json]>): { [key: string]: Json } {
  return Object.fromEntries(entries)
}
