/** The longest name that is compared: longer ones are nobody's slip of the finger. */
const LONGEST = 128

/**
 * Given a wrong name and the right ones, returns at most `most` of the right ones, nearest first. Names differing by
 * case alone come first; then by edit distance, at most a third of the name's length (and 1 at least); ties in the
 * options' code-unit order, so that the answer is stable.
 */
export function nearest(wrong: string, options: Iterable<string>, most = 3): string[] {
  return ranked(wrong, options)
    .slice(0, most)
    .map(({ option }) => option)
}

/** The right name that is nearer to the wrong one than all the others; nothing where two are equally near, or none is. */
export function standsOut(wrong: string, options: Iterable<string>): string | undefined {
  const [best, second] = ranked(wrong, options)
  return best && (second === undefined || best.distance < second.distance) ? best.option : undefined
}

function ranked(wrong: string, options: Iterable<string>): readonly Ranked[] {
  const target = wrong.toLowerCase()
  const farthest = Math.max(1, Math.floor(target.length / 3))
  const found: Ranked[] = []
  for (const option of new Set(options)) {
    const distance = option === wrong ? 0 : editDistance(target, option.toLowerCase(), farthest)
    if (distance <= farthest) found.push({ option, distance })
  }
  return found.toSorted((a, b) => a.distance - b.distance || (a.option < b.option ? -1 : 1))
}

interface Ranked {
  readonly option: string
  readonly distance: number
}

/** Optimal string alignment distance, given up (as `limit + 1`) as soon as it must exceed the limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (a.length > LONGEST || b.length > LONGEST || Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      next.push(cost)
    }
    if (Math.min(...next) > limit) return limit + 1
    before = row
    row = next
  }
  return row[b.length] ?? limit + 1
}
