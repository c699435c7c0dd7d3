import type { Problem } from '../base/diagnostic.ts'
import type { CatalogSet } from './lookup.ts'
import type { ServedCatalog } from './model.ts'

/** The result of reading one catalog. */
export interface Reading {
  /** The path or URL that the operator configured. */
  readonly path: string
  /** The catalog's id if it is known: its `entry_id`, else the folder's name. */
  readonly id: string
  /** Absent if there are errors. */
  readonly catalog?: ServedCatalog
  readonly errors: readonly Problem[]
  readonly warnings: readonly Problem[]
}

/** A source of catalogs. */
export interface CatalogSource {
  /** The current set; the same object until something changes. */
  current(): CatalogSet
}
