import type { KnownFilter } from './filter.ts'
import type { Invocation } from '../invocation.ts'
import type { PageState } from '../http/paging.ts'

/** A list read: what is asked, and how much of it is wanted. */
export interface Reading {
  readonly invocation: Invocation
  readonly digest: string
  readonly filters: readonly KnownFilter[]
  readonly needs?: readonly string[]
  /** Pages are read until so many rows have passed the filters: 0 for the first page, whatever it holds. */
  readonly wanted: number
  /** No more rows than these: the program asked for no more. */
  readonly limit?: number
  /** No more rows than these at once; the others are left to the continuation. */
  readonly pageSize?: number
  /** Where to go on. */
  readonly state?: PageState
}
