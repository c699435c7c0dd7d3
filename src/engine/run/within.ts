import { jsonLength } from '../../base/json.ts'
import type { Problem } from '../../base/diagnostic.ts'
import { engineProblem } from '../problems.ts'
import type { PublishedRoot } from '../reply/results.ts'

/**
 * The rows that an answer carries: of each root the first ones, as long as all of them fit into so many characters of JSON.
 * A program may return the same large rows many times: they cost nothing until they are written.
 */
export function within(
  roots: readonly PublishedRoot[],
  most: number,
): { readonly roots: readonly PublishedRoot[]; readonly problems: readonly Problem[] } {
  let left = most
  let firstCut: string | undefined
  const carried = roots.map((root) => {
    const fit = root.rows.findIndex(({ values }) => (left -= jsonLength(values, left)) < 0)
    if (fit < 0) return root
    left = 0
    firstCut ??= root.label
    return { ...root, rows: root.rows.slice(0, fit) }
  })
  if (firstCut === undefined) return { roots, problems: [] }
  const params = { label: firstCut, shown: rowsIn(carried), all: rowsIn(roots), most }
  return { roots: carried, problems: [engineProblem('answer_cut', params)] }
}

function rowsIn(roots: readonly PublishedRoot[]): number {
  return roots.reduce((sum, { rows }) => sum + rows.length, 0)
}
