import type { Json } from '../base/canonical.ts'

/** A read composed of other reads of its catalog: it gives one row. */
export interface View {
  readonly scope: readonly ViewScope[]
  /** In order: a node may use the results of earlier ones. */
  readonly nodes: readonly ViewNode[]
  readonly outputs: readonly ViewOutput[]
  readonly relations: readonly ViewRelation[]
}

/** A value of the view's scope, which the caller supplies. */
export interface ViewScope {
  readonly name: string
  /** The slot of the entity's key that supplies it if the row is got by its key. */
  readonly key?: string
  /** Not supplied by the caller: the origin (scheme, host and port) of the catalog's calls. */
  readonly injected?: 'origin'
}

/** One read of a view: a get, a query or a search of the same catalog that is not a view itself. */
export interface ViewNode {
  readonly id: string
  readonly capability: string
  /** By parameter, or by slot of the key for a get. */
  readonly bindings: readonly { readonly name: string; readonly value: ViewBinding }[]
}

export type ViewBinding =
  | { readonly kind: 'scope'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: Json }
  /** A field of an earlier node's first row. */
  | { readonly kind: 'field'; readonly node: string; readonly field: string }
  /** Text over the scope's names and the first rows of earlier nodes. */
  | { readonly kind: 'template'; readonly template: string }

/** A field of the view's row. */
export interface ViewOutput {
  readonly field: string
  readonly value:
    | Exclude<ViewBinding, { kind: 'literal' }>
    | { readonly kind: 'count' | 'any'; readonly node: string }
    /** How often each value of the field occurs, as JSON. */
    | { readonly kind: 'histogram'; readonly node: string; readonly field: string }
    /** Whether the field of any row equals this. */
    | { readonly kind: 'some'; readonly node: string; readonly field: string; readonly equals: Json }
}

/** A relation of the view's row: rows of a node. */
export interface ViewRelation {
  readonly relation: string
  readonly node: string
  /** The first of them alone. */
  readonly first: boolean
  /** Those whose field equals this. */
  readonly where?: { readonly field: string; readonly equals: Json }
}
