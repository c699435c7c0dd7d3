/** Bodies from this size on block the thread for noticeable time when they are parsed. */
const LARGE_BYTES = 256 * 1024

let last: Promise<unknown> = Promise.resolve()

/**
 * Waits before work on a large body: one such piece in a turn of the event loop, so that the requests of other callers are
 * answered between them.
 */
export async function beforeWorkOn(bytes: number): Promise<void> {
  if (bytes < LARGE_BYTES) return
  last = last.then(() => new Promise<void>((resolve) => setImmediate(resolve)))
  await last
}
