import type { Problem } from '../base/diagnostic.ts'
import type { EntityName, PlanNode } from '../language/plan/plan.ts'
import type { Continuation, EffectOutcome, PartialReason } from './outcome.ts'
import type { LiveRow } from './row.ts'
import type { CallContext } from './source.ts'

/** What a node gave. */
export interface Table {
  readonly entity?: EntityName
  readonly columns: readonly string[]
  readonly rows: readonly LiveRow[]
  readonly partial?: PartialReason
  readonly continuation?: Continuation
}

/** One run of one plan: what all of its steps share. */
export interface Run extends CallContext {
  /** What finished nodes gave, by node id. */
  readonly tables: ReadonlyMap<string, Table>
  /** How a node is called in messages: its label, else its id. */
  readonly nameOf: (node: string) => string
  /** How many rows of a node others need: 0 for one page as it comes. */
  readonly demand: (node: string) => number
  /** What tells this run from every other, where the engine says so. */
  readonly runId?: string
}

/** One node at work. */
export interface Step {
  readonly run: Run
  readonly node: PlanNode
  /** Notes something that the reader should know; the node goes on. */
  readonly warn: (problem: Problem) => void
  readonly effect: (outcome: EffectOutcome) => void
}

/** A step's end: its rows, or the problems that kept it from having any. */
export type Stepped =
  | { readonly ok: true; readonly value: Table }
  /** `table`: what was there before it failed. */
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly table?: Table }
