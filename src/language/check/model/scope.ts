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
}
