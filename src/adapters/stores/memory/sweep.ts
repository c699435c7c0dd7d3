/** How many kept things one write looks at: more than it adds, so that what has expired cannot pile up. */
const STEPS = 4

/**
 * A sweeper that goes round for ever, a few steps with each write: no timer for each thing, no pause over all of them.
 *
 * @param round goes over everything once, drops what has expired and yields after each thing
 */
export function sweeper(round: () => Iterator<unknown>): () => void {
  let current = round()
  return () => {
    for (let step = 0; step < STEPS; step++) {
      if (current.next().done !== true) continue
      current = round()
      return
    }
  }
}
