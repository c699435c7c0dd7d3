/** The work of each principal that rests, in the order of their next turns; none is empty. */
const resting = new Map<string, (() => void)[]>()

/**
 * Lets everything that waits in this process go on first. One piece of work continues in each turn of the event loop: requests
 * are read and answered between any two of them. Principals take turns, however much work of each rests.
 */
export function pause(principal: string): Promise<void> {
  return new Promise((resolve) => {
    const own = resting.get(principal)
    if (own) return void own.push(resolve)
    if (resting.size === 0) setImmediate(continueNext)
    resting.set(principal, [resolve])
  })
}

function continueNext(): void {
  const [next] = resting
  if (!next) return
  const [principal, own] = next
  const first = own.shift()
  resting.delete(principal)
  if (own.length > 0) resting.set(principal, own)
  if (resting.size > 0) setImmediate(continueNext)
  first?.()
}
