import type { Json } from '../base/canonical.ts'
import type { Capability, Catalog } from '../catalog/model.ts'

/** A capability and everything that it is called with; values are checked already. */
export interface Invocation {
  readonly catalog: Catalog
  readonly capability: Capability
  /** The key slots of the row that it is called on. */
  readonly identity?: Readonly<Record<string, string>>
  /** By parameter name. */
  readonly arguments: ReadonlyMap<string, Json>
  /** What was read for it right before, by variable of the request. */
  readonly found?: ReadonlyMap<string, Json>
}
