import type { Json } from '../base/canonical.ts'

/** A read that is composed of other reads of its catalog: it gives one row. */
export interface View {
  readonly scope: readonly ViewScope[]
  /** In order: a node may be bound to what an earlier one gave. */
  readonly nodes: readonly ViewNode[]
  readonly outputs: readonly ViewOutput[]
  readonly relations: readonly ViewRelation[]
}

/** A value that a view is asked for with. */
export interface ViewScope {
  readonly name: string
  /** The slot of the entity's key that gives it where a row is got by its key. */
  readonly key?: string
  /** Nobody gives it: it is the origin (scheme, host and port) that the catalog's calls go to. */
  readonly injected?: 'origin'
}

/** One read of a view: a get, a query or a search of the same catalog, that is no view itself. */
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
    /** Does any row's field equal this? */
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
