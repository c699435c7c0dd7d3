import type { Json } from '../../../../base/canonical.ts'
import { isList, isRecord, recordOf } from '../../../../base/json.ts'

/**
 * A value with an update merged in: objects by their keys, lists one after the other, scalars replaced. Undefined if the two
 * cannot be merged.
 */
export function merged(target: Json, update: Json): Json | undefined {
  if (isRecord(target)) return isRecord(update) ? mergedRecord(target, update) : undefined
  if (isList(target)) return isList(update) ? [...target, ...update] : [...target, update]
  return isRecord(update) || isList(update) ? undefined : update
}

function mergedRecord(
  target: { readonly [key: string]: Json },
  update: { readonly [key: string]: Json },
): Json | undefined {
  const entries = new Map(Object.entries(target))
  for (const [key, value] of Object.entries(update)) {
    const held = entries.get(key)
    // Inside an object a list takes lists only.
    const next = held === undefined ? value : isList(held) && !isList(value) ? undefined : merged(held, value)
    if (next === undefined) return undefined
    entries.set(key, next)
  }
  return recordOf(entries)
}
