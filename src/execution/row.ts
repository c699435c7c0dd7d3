import type { ExactJson, Json } from '../base/canonical.ts'
import { child, walk } from '../base/json.ts'
import type { Row } from './outcome.ts'

/** A row during a run, with the API's answer, from which relations can be read later. */
export interface LiveRow extends Row {
  /** The row's JSON in the answer. */
  readonly raw?: Json
  /** Arguments of the call that gave it, which may complete a compound key. */
  readonly ambient?: ReadonlyMap<string, ExactJson>
  /** The rows of its references, by field, if a path continues into them. */
  readonly joined?: ReadonlyMap<string, LiveRow>
  /** Rows of its relations that were read together with it, by relation. */
  readonly children?: ReadonlyMap<string, readonly LiveRow[]>
}

/** The value of a reference to the row: its id, or all slots of a compound one. */
export function identityValue(row: LiveRow): Json | undefined {
  const slots = Object.entries(row.identity ?? {})
  const [only] = slots
  if (only === undefined) return undefined
  return slots.length === 1 ? (child(row.values, only[0]) ?? only[1]) : Object.fromEntries(slots)
}

/** The value of a row at a path; an empty path is its identity. Nested parts may also come from the API's answer. */
export function rowValue(row: LiveRow, path: readonly string[]): Json | undefined {
  const [first, ...rest] = path
  if (first === undefined) return identityValue(row)
  const held = child(row.values, first) ?? child(row.identity, first)
  if (rest.length === 0) return held
  const joined = row.joined?.get(first)
  return walk(held, rest) ?? (joined ? rowValue(joined, rest) : walk(row.raw, path))
}
