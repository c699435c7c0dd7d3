import type { Json } from '../../base/canonical.ts'
import type { Span } from '../../base/diagnostic.ts'
import type { Type } from '../../catalog/model.ts'
import type { Operator } from '../syntax/tree.ts'

/** A checked program as a frozen graph of steps with their order and effects. Plain data. */
export interface Plan {
  readonly version: 1
  /** In an order in which every node comes after its inputs. */
  readonly nodes: readonly PlanNode[]
  readonly returns: readonly { readonly label: string; readonly node: string }[]
  /** Every catalog that a node touches, by id in code-unit order. */
  readonly catalogs: readonly { readonly catalog: string; readonly digest: string }[]
  /** SHA-256 (hex) of the program's meaning: independent of the names of its bindings. */
  readonly digest: string
  /** Data that flows from a read of one catalog into a write of another. */
  readonly flows: readonly { readonly from: string; readonly to: string; readonly node: string }[]
  /** Data that flows from a read of one catalog into the arguments of a read of another. */
  readonly readFlows: readonly { readonly from: string; readonly to: string; readonly node: string }[]
}

/** `pure`: no call at all. `side_effect`: a write that answers with no rows. */
export type Effect = 'pure' | 'read' | 'write' | 'side_effect'

export interface EntityName {
  readonly catalog: string
  readonly digest: string
  readonly entity: string
}

export interface PlanNode {
  /** `n1`, `n2`, … in the plan's order. */
  readonly id: string
  /** The label of the binding, if the node is a binding's value. */
  readonly label?: string
  /** The place of the node in the program. */
  readonly span: Span
  readonly effect: Effect
  /** Ids of the nodes whose results it needs, in first-use order. */
  readonly inputs: readonly string[]
  /** The entity of its rows; absent for computed rows. */
  readonly entity?: EntityName
  /** `one`: exactly one row by construction (a get, an aggregate); `many`: any number. */
  readonly shape: 'one' | 'many'
  readonly operation: Operation
}

/** What a read's rows are used for. */
export interface UsedFields {
  /** Fields that are used by name: further reads fill those that this one does not give. Absent: none is. */
  readonly needs?: readonly string[]
  /** The rows are also returned with whatever the read gives; without `needs` they always are. */
  readonly whole?: true
  /** Those of `needs` that a later limit fills. */
  readonly later?: readonly string[]
}

export type Operation =
  /** A list or search read. */
  | ({
      readonly kind: 'query'
      readonly capability: string
      readonly arguments: readonly Argument[]
      /** Conditions that the API cannot express: applied to the rows after decoding. */
      readonly filters: readonly Filter[]
      /** The number of rows, after the filters, at which reading stops: a `.limit` right after the read. */
      readonly limit?: number
      readonly pageSize?: number
    } & UsedFields)
  | ({
      readonly kind: 'get'
      readonly capability: string
      /** By key slot name; empty for a get without an id. */
      readonly identity: readonly Argument[]
      readonly arguments: readonly Argument[]
      /** Its key is enough for what follows: the row is not read. */
      readonly unread?: true
    } & UsedFields)
  /** For each row of the source, the rows of a declared relation, in the order of their parents. */
  | ({
      readonly kind: 'relation'
      readonly source: string
      readonly relation: string
      readonly arguments: readonly Argument[]
      readonly filters: readonly Filter[]
      readonly limit?: number
    } & UsedFields)
  /** For each row of the source, the row that its reference field names. */
  | ({ readonly kind: 'reference'; readonly source: string; readonly field: string } & UsedFields)
  /** The rows of `entity` whose parameter or field refers to a row of the source. */
  | ({
      readonly kind: 'reverse'
      readonly source: string
      readonly capability: string
      readonly parameter: string
      readonly arguments: readonly Argument[]
      readonly filters: readonly Filter[]
    } & UsedFields)
  /** One create, update, delete or action; with `source`, the row (exactly one) that it is called on. */
  | {
      readonly kind: 'call'
      readonly capability: string
      readonly identity: readonly Argument[]
      readonly source?: string
      readonly arguments: readonly Argument[]
    }
  /** For each row of the source, in order, the operation with `_` bound to the row. */
  | {
      readonly kind: 'each'
      readonly source: string
      readonly body:
        | Extract<Operation, { kind: 'call' | 'get' | 'query' }>
        | { readonly kind: 'data'; readonly value: Operand }
      /** A row that several readings give is given once. */
      readonly distinct?: true
    }
  /** Columns in written order. */
  | {
      readonly kind: 'project'
      readonly source: string
      readonly columns: readonly { readonly name: string; readonly path: readonly string[] }[]
    }
  | {
      readonly kind: 'limit'
      readonly source: string
      readonly count: number
      /** Fields that the read of these rows left to be filled for the rows that remain. */
      readonly fills?: { readonly capability: string; readonly fields: readonly string[] }
    }
  /** Those rows that meet the conditions. */
  | { readonly kind: 'filter'; readonly source: string; readonly conditions: readonly Filter[] }
  /** Exactly one row, or the run fails there. */
  | { readonly kind: 'singleton'; readonly source: string }
  | {
      readonly kind: 'sort'
      readonly source: string
      readonly path: readonly string[]
      readonly descending: boolean
      readonly type?: Type
    }
  | {
      readonly kind: 'aggregate'
      readonly source: string
      /** The fields whose values make the groups, and the columns that they become. Absent: one row over everything. */
      readonly by?: readonly { readonly name: string; readonly path: readonly string[] }[]
      readonly columns: readonly AggregateColumn[]
    }
  /** A template over the rows: one row with `content`. */
  | {
      readonly kind: 'render'
      readonly source: string
      readonly columns: readonly string[]
      readonly template: string
    }
  /** Literal rows. */
  | { readonly kind: 'data'; readonly value: Operand }
  | { readonly kind: 'page'; readonly handle: string; readonly limit?: number }

export interface AggregateColumn {
  readonly name: string
  readonly function: 'count' | 'sum' | 'avg' | 'min' | 'max'
  readonly path?: readonly string[]
  readonly type?: Type
}

/** A value for a slot: checked now where it is known, and again when it is filled at run time. */
export interface Argument {
  readonly name: string
  readonly type: Type
  readonly operand: Operand
}

export interface Filter {
  readonly path: readonly string[]
  readonly operator: Operator
  readonly type: Type
  readonly operand: Operand
  /** The operand is a list of which one has to be equal, or none for `!=`. */
  readonly oneOf?: true
}

export type Operand =
  | { readonly kind: 'literal'; readonly value: Json }
  /**
   * From the single row of another node; an empty path: the row's identity. `text`: the program's spelling, which messages show.
   */
  | { readonly kind: 'node'; readonly node: string; readonly path: readonly string[]; readonly text: string }
  /** From the row that `_` stands for; an empty path: its identity. */
  | { readonly kind: 'cursor'; readonly path: readonly string[]; readonly text: string }
  /** Text with values put in: `${issue.title}`. */
  | { readonly kind: 'text'; readonly parts: readonly (string | Operand)[] }
  | { readonly kind: 'list'; readonly items: readonly Operand[] }
  | { readonly kind: 'record'; readonly entries: readonly (readonly [string, Operand])[] }
  /** An integer where no type says so: digits that the value holds as text are a number. */
  | { readonly kind: 'integer'; readonly value: Operand }
