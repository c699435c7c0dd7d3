/** Items that one write examines: more than it adds, so that expired ones cannot accumulate. */
const STEPS = 4

/**
 * An incremental sweeper that advances a few steps with each write: no timer per item, and no pause over all of them.
 *
 * @param round visits everything once, deletes what has expired and yields after each item
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
