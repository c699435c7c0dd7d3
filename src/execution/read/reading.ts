import type { Json } from '../../base/canonical.ts'
import type { KnownFilter } from './filter.ts'
import type { Invocation } from '../invocation.ts'

/** A list read: what is asked, and how much of it is wanted. */
export interface Reading {
  readonly invocation: Invocation
  readonly filters: readonly KnownFilter[]
  readonly needs?: readonly string[]
  /** Pages are read until so many rows have passed the filters: 0 for the first page, whatever it holds. */
  readonly wanted: number
  /** No more rows than these: the program asked for no more. */
  readonly limit?: number
  /** No more rows than these at once; the others are left to the continuation. */
  readonly pageSize?: number
  /** Where an earlier reading stopped, as its source wrote it into the continuation. */
  readonly place?: Json
}
