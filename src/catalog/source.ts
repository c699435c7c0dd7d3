import type { Problem } from '../base/diagnostic.ts'
import type { CatalogSet } from './lookup.ts'
import type { Catalog } from './model.ts'

/** What came of reading one catalog. */
export interface Reading {
  /** As the operator named it: a path or a URL. */
  readonly path: string
  /** The catalog's id as far as it is known: its `entry_id`, else the folder's name. */
  readonly id: string
  /** Absent where an error stands in the way. */
  readonly catalog?: Catalog
  readonly errors: readonly Problem[]
  readonly warnings: readonly Problem[]
}

/** Where catalogs come from. */
export interface CatalogSource {
  /** The set as it is now; the same object until something changes. */
  current(): CatalogSet
}
