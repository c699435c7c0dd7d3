import type { Problem } from '../base/diagnostic.ts'
import { type CatalogSet, catalogSet } from './lookup.ts'
import type { ServedCatalog } from './model.ts'

/** The result of reading one catalog. */
export interface Reading {
  /** The path or URL that the operator configured. */
  readonly path: string
  /** The catalog's id if it is known: its `entry_id`, else the folder's name. */
  readonly id: string
  /** Absent if there are errors. */
  readonly catalog?: ServedCatalog
  /** Of the catalog's model, where it was computed with the reading. */
  readonly digest?: string
  readonly errors: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** The operations of an imported document. */
  readonly operations?: Operations
  /** Why an imported catalog is as it is. */
  readonly why?: readonly Explanation[]
}

/** How many operations a document has, and how many of them can be called. */
interface Operations {
  readonly total: number
  readonly reachable: number
  /** Those that cannot. */
  readonly left: readonly { readonly operation: string; readonly reason: string }[]
}

/** The largest entity or operation as JSON: larger ones are of no use to an agent, and would block the thread that serves. */
export const MAX_PART_CHARACTERS = 500_000

/** The reasons of an import about the catalog, an entity or a capability. */
export interface Explanation {
  readonly about: string
  readonly lines: readonly string[]
}

/** The catalogs of several sources; of two with the same id that of the earlier source is served. */
export function joined(...sources: readonly CatalogSource[]): CatalogSource {
  let parts: readonly CatalogSet[] = []
  let whole = catalogSet([])
  return {
    current: () => {
      const now = sources.map((source) => source.current())
      if (now.length !== parts.length || now.some((set, at) => set !== parts[at])) {
        parts = now
        whole = catalogSet(
          now.toReversed().flatMap(({ byId }) => [...byId.values()]),
          new Map(now.flatMap(({ unread = new Map() }) => [...unread])),
        )
      }
      return whole
    },
  }
}

/** A source of catalogs. */
export interface CatalogSource {
  /** The current set; the same object until something changes. */
  current(): CatalogSet
}
