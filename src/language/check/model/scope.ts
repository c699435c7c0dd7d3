import type { Catalog } from '../../../catalog/model.ts'
import type { SymbolSpace } from '../../../session/exposure.ts'

/** What a program is checked against: the session's symbols, the models behind them, and what the caller may touch. */
export interface Scope {
  readonly space: SymbolSpace
  /** The model under a digest that the space names. */
  readonly model: (digest: string) => Catalog
  /** May the caller use this capability? What is hidden does not exist: the answer is the same as for a wrong name. */
  readonly allows: (catalog: string, capability: string) => boolean
  /** The session's ref as programs write it in page handles: `s0`. */
  readonly ref: string
}
