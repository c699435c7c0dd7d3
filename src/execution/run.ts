import type { Problem } from '../base/diagnostic.ts'
import type { PlanNode } from '../language/plan/plan.ts'
import type { Stop } from './completeness.ts'
import type { EffectOutcome, Unsent } from './outcome.ts'
import type { CallContext } from './source.ts'
import type { Given, Table } from './table.ts'

/** One run of one plan: what all of its steps share. */
export interface Run extends CallContext {
  /** What finished nodes gave, by node id. */
  readonly tables: ReadonlyMap<string, Table>
  /** The name of a node in messages: see `namesOf`. */
  readonly nameOf: (node: string) => string
  /** How many rows of a node others need: 0 for one page as it comes. */
  readonly demand: (node: string) => number
  /** What tells this run from every other, where the engine says so. */
  readonly runId?: string
}

/** One node at work. */
export interface NodeRun {
  readonly run: Run
  readonly node: PlanNode
  /** Notes something that the reader should know; the node goes on. */
  readonly warn: (problem: Problem) => void
  readonly effect: (outcome: EffectOutcome) => void
  /** Notes the rows of a loop that were ready and were not sent. */
  readonly unsent: (rest: Unsent) => void
}

/** What a node gives: its rows, or the problems that kept it from having any. */
export type NodeResult =
  | { readonly ok: true; readonly value: Given }
  | {
      readonly ok: false
      readonly problems: readonly Problem[]
      /** Absent where it failed before a call left. */
      readonly why?: Stop
      /** What was there before it failed. */
      readonly table?: Given
    }
