import type { EntityName, Operation, PlanNode } from '../language/plan/plan.ts'
import { throughout, carriedFrom, type Missing, worst } from './completeness.ts'
import type { Continuation, KeptPlace } from './outcome.ts'
import type { LiveRow } from './row.ts'

/** What a step gives. */
export interface Given {
  readonly entity?: EntityName
  readonly columns: readonly string[]
  readonly rows: readonly LiveRow[]
  /** What the step itself could not have. What its inputs lack is no concern of a step: `finishedTable` adds it. */
  readonly missing: Missing | null
  readonly continuation?: Continuation
  /** Where these rows, in this order, are kept already. */
  readonly kept?: KeptPlace
}

declare const isFinished: unique symbol

/** The rows of a finished node, marked with all that they lack. Only `finishedTable` makes one. */
export interface Table extends Given {
  readonly [isFinished]: true
}

/** What a node gave, as others read it: marked as its own step says, and as the tables that it was made from. */
export function finishedTable(node: PlanNode, given: Given, tables: ReadonlyMap<string, Table>): Table {
  const missing = worst(
    given.missing,
    ...node.inputs.map((input) =>
      input === sourceIn(node.operation)
        ? carriedFrom(node.operation, markOf(input, tables), given.rows.length)
        : throughout(markOf(input, tables)),
    ),
  )
  // The one place where a table is made.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...given, missing } as Table
}

/** What all inputs of a node lack together. */
export function missingIn({ inputs }: PlanNode, tables: ReadonlyMap<string, Table>): Missing | null {
  return worst(...inputs.map((input) => markOf(input, tables)))
}

function markOf(input: string, tables: ReadonlyMap<string, Table>): Missing | null {
  return tables.get(input)?.missing ?? null
}

function sourceIn(operation: Operation): string | undefined {
  return 'source' in operation ? operation.source : undefined
}
