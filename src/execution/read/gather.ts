import type { ExactJson } from '../../base/canonical.ts'
import { canonicalJson } from '../../base/canonical.ts'
import type { Problem } from '../../base/diagnostic.ts'
import type { Pace } from '../../base/slices/pace.ts'
import { type Missing, type Stop, stoppedBy, throughout, worst } from '../completeness.ts'
import { problem } from '../problems.ts'

/** What came of doing the same for many rows. */
export interface Gathered<T> {
  /** In the order of the rows; absent where it failed. */
  readonly results: readonly (T | undefined)[]
  readonly problems: readonly Problem[]
  readonly missing: Missing | null
  readonly allFailed: boolean
}

/** What came of one read. */
export type Tried<T> =
  | {
      readonly ok: true
      readonly value: T
      /** What the reader should know of it all the same. */
      readonly problems?: readonly Problem[]
      readonly missing: Missing | null
    }
  | { readonly ok: false; readonly problem: Problem; readonly why?: Stop }

/** How many rows are read. */
interface Gathering<Item, T> {
  /** Rows of one key share a read. */
  readonly keyOf: (item: Item) => ExactJson
  readonly read: (item: Item) => Promise<Tried<T>>
  /** How a message calls the whole. */
  readonly what: string
  readonly pace: Pace
}

/** Did the run end there, so that no further read can succeed? */
export function isStopped(tried: { readonly ok: boolean; readonly why?: Stop }): boolean {
  return tried.why === 'budget' || tried.why === 'cancelled'
}

/** Does a read once for each different key (at once, as far as the catalog's share allows), and tells of failures once. */
export async function gather<Item, T>(
  items: readonly Item[],
  { keyOf, read, what, pace }: Gathering<Item, T>,
): Promise<Gathered<T>> {
  const under = new Map<string, Promise<Tried<T>>>()
  const readOnce = (item: Item) => {
    const key = canonicalJson(keyOf(item))
    let one = under.get(key)
    if (!one) under.set(key, (one = read(item)))
    return one
  }
  const tried = await pace.all(items, readOnce, isStopped)
  const failures = tried.flatMap((one) => (one.ok ? [] : [one]))
  const [first] = failures
  const results = tried.map((one) => (one.ok ? one.value : undefined))
  const done = tried.flatMap((one) => (one.ok ? [one] : []))
  const notes = new Set(done.flatMap((one) => one.problems ?? []))
  const inner = throughout(worst(...done.map(({ missing }) => missing)))
  if (!first) return { results, problems: [...notes], missing: inner, allFailed: false }
  const stopped = failures.find(isStopped)
  const single = failures.length === items.length && items.length === 1
  const report =
    stopped?.problem ??
    (single
      ? first.problem
      : problem('rows_failed', {
          what,
          failed: failures.length,
          all: items.length,
          reason: first.problem.message,
        }))
  return {
    results,
    problems: [...notes, report],
    missing: throughout(worst(inner, stoppedBy(report, stopped?.why))),
    allFailed: failures.length === items.length,
  }
}
