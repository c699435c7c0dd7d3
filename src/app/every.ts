/**
 * Does the work again and again, each time so many milliseconds after the last is over, until the returned function is
 * called. Keeps no process alive.
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
