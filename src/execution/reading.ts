import type { Json } from '../base/canonical.ts'
import type { UsedFields } from '../language/plan/plan.ts'
import type { KnownFilter } from './read/filter.ts'
import type { Invocation } from './invocation.ts'

/** A list read: the call, and the number of rows that are needed. */
export interface Reading extends UsedFields {
  readonly invocation: Invocation
  readonly filters: readonly KnownFilter[]
  /** Pages are read until this many rows have passed the filters: 0 for the first page, whatever it has. */
  readonly wanted: number
  /** The limit that the program set. */
  readonly limit?: number
  /** The maximum number of rows per page; the others are left to the continuation. */
  readonly pageSize?: number
  /** The position of an earlier read, as its source wrote it into the continuation. */
  readonly place?: Json
}

/** What an operation's rows are used for, without the rest of the operation. */
export function usedFields({ needs, whole, later }: UsedFields): UsedFields {
  return { ...(needs && { needs }), ...(whole && { whole }), ...(later && { later }) }
}

/** The only fields of a row that are used; undefined: whatever the read gives. */
export function onlyFields({ needs, whole }: UsedFields): readonly string[] | undefined {
  return whole ? undefined : needs
}
