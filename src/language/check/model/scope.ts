import type { Catalog } from '../../../catalog/model.ts'
import type { SymbolSpace } from '../../../session/exposure.ts'

/** The context of a check: the session's symbols, the models behind them, and the caller's rights. */
export interface Scope {
  readonly space: SymbolSpace
  /** The model under a digest that the space names. */
  readonly model: (digest: string) => Catalog
  /** Whether the caller may use this capability. A hidden one is reported like an unknown name. */
  readonly allows: (catalog: string, capability: string) => boolean
  /** The session's ref as programs write it in page handles: `s0`. */
  readonly ref: string
  /** Milliseconds since the epoch: words such as `today` are dates of this time. Absent: they stay words until the run. */
  readonly now?: number
  /** What the session keeps of the pages that the program names, by full handle (`s0_pg1`). */
  readonly pages?: ReadonlyMap<string, KeptPage> | undefined
}

/** The rows behind a page handle: of this entity, unless they were computed; if they were projected, with these columns alone. */
export interface KeptPage {
  readonly entity?: { readonly catalog: string; readonly digest: string; readonly entity: string }
  readonly columns?: readonly { readonly name: string; readonly path: readonly string[] }[]
}
