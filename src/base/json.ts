import type { ExactJson, Json } from './canonical.ts'

/** Is it a JSON object? */
export function isRecord(value: Json | undefined): value is { readonly [key: string]: Json }
export function isRecord(value: ExactJson | undefined): value is { readonly [key: string]: ExactJson }
export function isRecord(value: ExactJson | undefined): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Is it a JSON list? */
export function isList(value: Json | undefined): value is readonly Json[]
export function isList(value: ExactJson | undefined): value is readonly ExactJson[]
export function isList(value: ExactJson | undefined): boolean {
  return Array.isArray(value)
}

/** The value under an own key (of an object) or index (of a list); undefined if absent. Ignores prototypes. */
export function child(value: Json | undefined, key: string | number): Json | undefined
export function child(value: ExactJson | undefined, key: string | number): ExactJson | undefined
export function child(value: ExactJson | undefined, key: string | number): ExactJson | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (isList(value)) {
    const index = typeof key === 'number' ? key : /^\d{1,9}$/.test(key) ? Number(key) : -1
    return value[index]
  }
  return Object.hasOwn(value, key) ? value[key] : undefined
}

/** The value under an own key of a record; undefined if absent. A key from outside may be any word, even `constructor`. */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** The value at the end of a path of keys and indexes. */
export function walk(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let held = value
  for (const key of path) held = child(held, key)
  return held
}

/** Like `walk`, for a field name that may contain dots: tries the whole name first, then its parts. */
export function walkField(value: Json | undefined, field: string): Json | undefined {
  return child(value, field) ?? (field.includes('.') ? walk(value, field.split('.')) : undefined)
}

/** A scalar as text, for paths, ids and queries. Undefined for null, lists and objects. */
export function scalarText(value: ExactJson | undefined): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return undefined
  }
}

/** The value as JSON: compact, with keys in their own order and all digits of bigints. */
export function jsonText(value: ExactJson): string {
  if (typeof value === 'bigint') return String(value)
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, held]) => `${JSON.stringify(key)}:${jsonText(held)}`)
    .join(',')}}`
}

/** The value as rows hold it: bigints as their digits in text. */
export function digitsAsText(value: ExactJson): Json {
  if (typeof value === 'bigint') return String(value)
  if (isList(value)) return value.map(digitsAsText)
  return isRecord(value)
    ? recordOf(Object.entries(value).map(([key, held]) => [key, digitsAsText(held)] as const))
    : value
}

/** Sets an own key from outside: `__proto__` is a key like any other. */
export function setOwn<Value extends ExactJson>(
  record: { [key: string]: Value },
  key: string,
  value: Value,
): void {
  if (key === '__proto__')
    Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true })
  else record[key] = value
}

/** An object with keys from outside: `__proto__` is a key like any other. */
export function recordOf<Value extends ExactJson>(
  entries: Iterable<readonly [string, Value]>,
): { [key: string]: Value } {
  return Object.fromEntries(entries)
}
