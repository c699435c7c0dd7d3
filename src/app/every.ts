/**
 * Repeats the work, waiting this many milliseconds after each run, until the returned function is called. Does not keep
 * the process alive.
 */
export function every(ms: number, work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  const next = () => void (timer = setTimeout(() => void work().then(again, again), ms).unref())
  const again = () => (timer === undefined ? undefined : next())
  next()
  return () => {
    clearTimeout(timer)
    timer = undefined
  }
}
