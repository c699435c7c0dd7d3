import type { Json } from '../../../base/canonical.ts'
import type { Span } from '../../../base/diagnostic.ts'
import type { Capability, Catalog, Entity, Relation, Slot, Type } from '../../../catalog/model.ts'
import type { Operator } from '../../syntax/tree.ts'

/** A program whose every name is resolved and whose every literal fits its slot. Spans point into the program's text. */
export interface CheckedProgram {
  readonly bindings: readonly { readonly label: string; readonly node: CheckedNode; readonly span: Span }[]
  readonly roots: readonly { readonly label: string; readonly node: CheckedNode }[]
}

/** An entity of a catalog, resolved. */
export interface Target {
  readonly catalog: Catalog
  readonly digest: string
  readonly entity: Entity
}

/** A column of computed rows, or of rows that were projected. */
export interface Column {
  readonly name: string
  readonly type: Type
  /** The brands of the value; empty if it is not an id. */
  readonly brands: readonly string[]
}

/** The type of rows that an expression gives. */
export interface Rows {
  /** The entity of the rows; absent for computed rows. */
  readonly target?: Target
  /** `one`: exactly one by construction. */
  readonly shape: 'one' | 'many'
  /** At most one row, whose values can be used as single values. */
  readonly single: boolean
  /** The columns, if they are not the entity's own; `open` if they are unknown before the run. */
  readonly columns?: readonly Column[] | 'open'
  /** The grouping column, also named `key`. */
  readonly groupedBy?: string
  /** A write that answers with nothing. */
  readonly nothing?: true
}

export type CheckedNode = { readonly span: Span; readonly rows: Rows } & CheckedOperation

export type CheckedOperation =
  /** A label bound above. */
  | { readonly kind: 'label'; readonly label: string; readonly node: CheckedNode }
  | {
      readonly kind: 'query'
      readonly capability: Capability
      readonly arguments: readonly CheckedArgument[]
      readonly filters: readonly CheckedFilter[]
      /** Of each of the queries that an `each` makes. */
      readonly limit?: number
    }
  | {
      readonly kind: 'get'
      readonly capability: Capability
      readonly identity: readonly CheckedArgument[]
      readonly arguments: readonly CheckedArgument[]
    }
  /** One row by its key, for an entity without a get: a target for methods. */
  | { readonly kind: 'identity'; readonly target: Target; readonly identity: readonly CheckedArgument[] }
  | {
      readonly kind: 'relation'
      readonly source: CheckedNode
      readonly relation: Relation
      readonly arguments: readonly CheckedArgument[]
      readonly filters: readonly CheckedFilter[]
    }
  | { readonly kind: 'reference'; readonly source: CheckedNode; readonly field: string }
  | {
      readonly kind: 'reverse'
      readonly source: CheckedNode
      readonly capability: Capability
      readonly parameter: string
      readonly arguments: readonly CheckedArgument[]
      readonly filters: readonly CheckedFilter[]
    }
  | {
      readonly kind: 'call'
      readonly capability: Capability
      readonly identity: readonly CheckedArgument[]
      readonly source?: CheckedNode
      readonly arguments: readonly CheckedArgument[]
    }
  /** `_`: the row of the `each` around it. */
  | { readonly kind: 'cursor' }
  | {
      readonly kind: 'each'
      readonly source: CheckedNode
      readonly body: CheckedNode
      /** A row that several readings give is given once. */
      readonly distinct?: true
    }
  | {
      readonly kind: 'project'
      readonly source: CheckedNode
      readonly columns: readonly { readonly name: string; readonly path: readonly string[] }[]
    }
  | { readonly kind: 'limit'; readonly source: CheckedNode; readonly count: number }
  /** Those rows that meet the conditions. */
  | { readonly kind: 'filter'; readonly source: CheckedNode; readonly filters: readonly CheckedFilter[] }
  | { readonly kind: 'page_size'; readonly source: CheckedNode; readonly count: number }
  | { readonly kind: 'singleton'; readonly source: CheckedNode }
  | {
      readonly kind: 'sort'
      readonly source: CheckedNode
      readonly path: readonly string[]
      readonly descending: boolean
      readonly type: Type
    }
  | {
      readonly kind: 'aggregate'
      readonly source: CheckedNode
      /** The fields whose values make the groups, and the columns that they become. */
      readonly by?: readonly { readonly name: string; readonly path: readonly string[] }[]
      readonly columns: readonly CheckedAggregate[]
    }
  | {
      readonly kind: 'render'
      readonly source: CheckedNode
      readonly columns: readonly string[]
      readonly template: string
    }
  | { readonly kind: 'data'; readonly value: CheckedValue }
  | { readonly kind: 'page'; readonly handle: string; readonly limit?: number }

export interface CheckedAggregate {
  readonly name: string
  readonly function: 'count' | 'sum' | 'avg' | 'min' | 'max'
  readonly path?: readonly string[]
  readonly type?: Type
}

export interface CheckedArgument {
  readonly slot: Slot
  readonly value: CheckedValue
}

export interface CheckedFilter {
  readonly path: readonly string[]
  readonly operator: Operator
  readonly type: Type
  readonly value: CheckedValue
  /** The value is a list of which one has to be equal, or none for `!=`. */
  readonly oneOf?: true
}

export type CheckedValue =
  | { readonly kind: 'literal'; readonly value: Json }
  /** A value of the single row that another node gives; an empty path: the row's identity. */
  | {
      readonly kind: 'node'
      readonly node: CheckedNode
      readonly path: readonly string[]
      readonly text: string
    }
  | { readonly kind: 'cursor'; readonly path: readonly string[]; readonly text: string }
  | { readonly kind: 'text'; readonly parts: readonly (string | CheckedValue)[] }
  | { readonly kind: 'list'; readonly items: readonly CheckedValue[] }
  | { readonly kind: 'record'; readonly entries: readonly (readonly [string, CheckedValue])[] }
  /** An integer where no type says so: digits that are held as text are a number. */
  | { readonly kind: 'integer'; readonly value: CheckedValue }
  /** `$`, in rows of teaching tables. */
  | { readonly kind: 'hole' }

/** The slot of a value. */
export interface Want {
  /** The name in messages: `` `state` ``. */
  readonly name: string
  readonly type: Type
  readonly brands: readonly string[]
  /** The catalog of the type. */
  readonly owner: Target
  readonly required: boolean
  /** A second call would undo the first: of an update, the last value stays. */
  readonly once?: true
  /** What the catalog says of it. */
  readonly description?: string
}
