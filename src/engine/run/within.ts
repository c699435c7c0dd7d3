import type { Problem } from '../../base/diagnostic.ts'
import { jsonSlices } from '../../base/slices/json-slices.ts'
import type { Pace } from '../../base/slices/pace.ts'
import { engineProblem } from '../problems.ts'
import type { PublishedRoot } from '../reply/results.ts'

/**
 * The rows that an answer carries: of each root the first ones, as long as all of them fit into so many characters of JSON.
 * A program may return the same large rows many times: they cost nothing until they are written.
 */
export async function within(
  roots: readonly PublishedRoot[],
  most: number,
  pace: Pace,
): Promise<{ readonly roots: readonly PublishedRoot[]; readonly problems: readonly Problem[] }> {
  let left = most
  let firstCut: string | undefined
  const carried: PublishedRoot[] = []
  for (const root of roots) {
    let fit = 0
    for (const { values } of root.rows) {
      // Behind the cut nothing is measured: each further root would write a row in vain, without a rest.
      if (left >= 0) left -= await pace.length(jsonSlices(values), left)
      if (left < 0) break
      fit++
    }
    const isCut = fit < root.rows.length
    if (isCut) firstCut ??= root.label
    carried.push(isCut ? { ...root, rows: root.rows.slice(0, fit) } : root)
  }
  if (firstCut === undefined) return { roots, problems: [] }
  const params = { label: firstCut, shown: rowsIn(carried), all: rowsIn(roots), most }
  return { roots: carried, problems: [engineProblem('answer_cut', params)] }
}

function rowsIn(roots: readonly PublishedRoot[]): number {
  return roots.reduce((sum, { rows }) => sum + rows.length, 0)
}
