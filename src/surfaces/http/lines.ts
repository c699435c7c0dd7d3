import type { RunFacts } from '../../engine/index.ts'
import { type Answered, toResult } from '../bodies/bodies.ts'

/**
 * A run as NDJSON: one row a line, `{"label", "row"}`; after an incomplete result `{"label", "partial", "next_page"}`; problems at
 * the end, `{"problem"}`.
 */
export function toLines({ facts }: Answered<RunFacts>): string {
  const lines = facts.results.flatMap((root) => {
    const { label, rows, partial, next_page } = toResult(root)
    const rest = partial === undefined && next_page === undefined ? [] : [{ label, partial, next_page }]
    return [...rows.map((row) => ({ label, row })), ...rest]
  })
  const problems = facts.problems.map((problem) => ({ problem }))
  return [...lines, ...problems].map((line) => `${JSON.stringify(line)}\n`).join('')
}
