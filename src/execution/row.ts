import type { Json } from '../base/canonical.ts'
import { walk } from '../base/json.ts'
import type { Row } from './outcome.ts'

/** A row while the run lasts: it remembers what the API said, so that relations can be read from it later. */
export interface LiveRow extends Row {
  /** The row's JSON as it stood in the answer. */
  readonly raw?: Json
  /** Arguments of the call that gave it: what a compound key may be completed from. */
  readonly ambient?: ReadonlyMap<string, Json>
  /** The rows that its references name, by field, where a path leads on into them. */
  readonly joined?: ReadonlyMap<string, LiveRow>
  /** Rows of its relations that were read together with it, by relation. */
  readonly children?: ReadonlyMap<string, readonly LiveRow[]>
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
