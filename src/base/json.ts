import type { Json } from './canonical.ts'

/** Is it a JSON object? */
export function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Is it a JSON list? */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The value under an own key (of an object) or index (of a list); undefined if absent. Ignores prototypes. */
export function child(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (isList(value)) {
    const index = typeof key === 'number' ? key : /^\d{1,9}$/.test(key) ? Number(key) : -1
    return value[index]
  }
  return Object.hasOwn(value, key) ? value[key] : undefined
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
export function scalarText(value: Json | undefined): string | undefined {
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined
}

/** Sets an own key from outside: `__proto__` is a key like any other. */
export function setOwn(record: { [key: string]: Json }, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true })
  else record[key] = value
}

/** An object with keys from outside: `__proto__` is a key like any other. */
export function recordOf(entries: Iterable<readonly [string, Json]>): { [key: string]: Json } {
  return Object.fromEntries(entries)
}
