import type { Problem } from '../base/diagnostic.ts'
import type { Operation } from '../language/plan/plan.ts'

/** Why a result is not the whole of what was asked for. */
export type PartialReason = 'perhaps_more' | 'more_pages' | 'budget' | 'failed'

/** What keeps rows from being all that was asked for. Null where a value of this type is expected: nothing does. */
export interface Missing {
  readonly reason: PartialReason
  /** `end`: the rows are the first of the whole. `anywhere`: a row between them, an order, a total or a value may be wrong. */
  readonly where: 'end' | 'anywhere'
  /** The problem that stopped the reading, where one did. */
  readonly because?: Problem
  /** How many rows were read to find these, where conditions were evaluated here. */
  readonly searched?: number
}

/** Why a call gave nothing: `failed` at the API, or stopped by the run itself. */
export type Stop = 'failed' | 'budget' | 'cancelled'

/** The mark of rows that a problem kept from being complete; a run that is cancelled fails. */
export function stoppedBy(because: Problem, why: Stop = 'failed'): Missing {
  return { reason: why === 'budget' ? why : 'failed', where: 'end', because }
}

/** The mark of rows behind which the API has more. */
export const MORE_PAGES: Missing = { reason: 'more_pages', where: 'end' }

/** The mark of rows behind which the API may have more: its document does not say how pages go on. */
export const PERHAPS_MORE: Missing = { reason: 'perhaps_more', where: 'end' }

const GRAVITY: readonly PartialReason[] = ['perhaps_more', 'more_pages', 'budget', 'failed']

/** One mark for all of these: the gravest reason, and every place that they speak of. */
export function worst(...marks: readonly (Missing | null)[]): Missing | null {
  return marks.reduce<Missing | null>((held, mark) => {
    if (!held || !mark) return held ?? mark
    const graver = GRAVITY.indexOf(mark.reason) > GRAVITY.indexOf(held.reason) ? mark : held
    const where = held.where === 'end' && mark.where === 'end' ? 'end' : 'anywhere'
    return { ...graver, where }
  }, null)
}

/** The mark of what was computed, chosen or filled from rows with this mark: nothing of it is sure. */
export function throughout(mark: Missing | null): Missing | null {
  return mark && { ...mark, where: 'anywhere' }
}

/** The mark of so many rows where the program asks for no more than the first few: what lies behind them is not missing. */
export function upTo(limit: number | undefined, count: number, mark: Missing | null): Missing | null {
  return mark?.where === 'end' && limit !== undefined && count >= limit ? null : mark
}

/** The mark that a step's rows carry of its source: what follows from rows that are missing there. */
export function carriedFrom(operation: Operation, mark: Missing | null, count: number): Missing | null {
  switch (operation.kind) {
    case 'limit':
      return upTo(operation.count, count, mark)
    case 'relation':
      return upTo(operation.limit, count, mark)
    case 'project':
    case 'filter':
    case 'each':
    case 'reference':
    case 'reverse':
      return mark
    case 'sort':
    case 'aggregate':
    case 'render':
    case 'singleton':
    case 'call':
    case 'query':
    case 'get':
    case 'data':
    case 'page':
      return throughout(mark)
  }
}

/** Must no change of data be made from rows with this mark? It may be from a page that the program asked for, or that may be all. */
export function forbidsEffects(mark: Missing | null): mark is Missing {
  return mark !== null && mark.reason !== 'more_pages' && mark.reason !== 'perhaps_more'
}
