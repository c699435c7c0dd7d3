import type { ExactJson, Json } from '../base/canonical.ts'
import type { Problem } from '../base/diagnostic.ts'
import type { EntityName } from '../language/plan/plan.ts'
import type { PartialReason } from './completeness.ts'

/** One row: its values by column name, and what it is a row of. */
export interface Row {
  readonly values: Readonly<Record<string, Json>>
  /** The key slots of the entity that the row is one of, as text; absent for computed rows. */
  readonly identity?: Readonly<Record<string, string>>
  /** The key slots of the row that this one was reached from, where it was reached from one of several. */
  readonly parent?: Readonly<Record<string, string>>
}

/** What one root of the program gave. */
export interface RootResult {
  readonly label: string
  readonly entity?: EntityName
  /** In written order where the program projects, else the entity's order. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** Absent: these are all. */
  readonly partial?: PartialReason
  /** Of partial rows: how many were read to find these, where conditions were evaluated here. */
  readonly searched?: number
  /** Where more rows can be had from: kept as a page entry by the engine. */
  readonly continuation?: Continuation
  /** Where these rows are kept already, if they are. */
  readonly kept?: KeptPlace
}

/** Where rows of an earlier answer are kept: of this snapshot and root, from this row on. */
export interface KeptPlace {
  readonly snapshot: string
  readonly root: number
  readonly from: number
}

/** Rows of an earlier answer that its text did not show. */
export interface KeptRows {
  readonly place: KeptPlace
  readonly entity?: EntityName
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly partial?: PartialReason
  /** Where the rows behind them can be had from. */
  readonly continuation?: Continuation
}

/** Everything that the next page of a read needs; plain data without credentials. */
export interface Continuation {
  readonly entity: EntityName
  readonly capability: string
  readonly state: Json
}

/** What became of one effect. */
export interface EffectOutcome {
  readonly node: string
  /** 0 for a single call, else the row of the `each`, from 0. */
  readonly row: number
  readonly capability: string
  readonly catalog: string
  readonly state: 'done' | 'failed' | 'unknown' | 'not_sent'
  readonly problem?: Problem
}

/** The rows of a loop that stopped half way which were not sent, with everything that their calls were filled with. */
export interface Unsent {
  readonly node: string
  readonly rows: readonly {
    /** Of the loop, from 0. */
    readonly row: number
    readonly identity?: Readonly<Record<string, string>>
    readonly arguments: Readonly<Record<string, ExactJson>>
  }[]
}

/** What a run used. */
export interface Usage {
  readonly calls: number
  readonly rows: number
  readonly bytes: number
  readonly milliseconds: number
}

/** What a run came to. Rows and effects that happened before a problem are there as well. */
export interface Outcome {
  readonly results: readonly RootResult[]
  readonly effects: readonly EffectOutcome[]
  /** Of each loop that stopped half way. */
  readonly unsent: readonly Unsent[]
  readonly usage: Usage
  readonly problems: readonly Problem[]
}
