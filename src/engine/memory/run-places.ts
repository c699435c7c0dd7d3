/** The runs of one principal. */
interface Share {
  running: number
  /** Each lets one run go on, in the order of their arrival. */
  readonly waiting: Set<() => void>
}

/** How long a run may wait for its place. */
export interface Patience {
  /** Its caller goes. */
  readonly signal: AbortSignal
  /** Calls back after the longest wait, until the returned function is called. */
  readonly afterwards: (giveUp: () => void) => () => void
}

/** The most runs of a principal that wait: each holds its program. */
export const MAX_WAITING = 100

/** `full`: too many wait. `waited`: the run waited too long. `gone`: its caller went meanwhile. */
type Refused = 'full' | 'waited' | 'gone'

/**
 * How many runs of a principal are under way in this process. A run more waits for its turn: what a run holds in memory and keeps
 * busy is bounded for each principal, however many it starts.
 */
export class RunPlaces {
  readonly #most: number
  readonly #shares = new Map<string, Share>()

  /** @param most the runs of one principal that are under way at once */
  constructor(most: number) {
    this.#most = most
  }

  /** Takes a place, which is the run's until `leave`. Gives the reason if the run gets none. */
  async take(principal: string, { signal, afterwards }: Patience): Promise<Refused | undefined> {
    const share = this.#shares.get(principal) ?? { running: 0, waiting: new Set() }
    this.#shares.set(principal, share)
    if (share.running < this.#most) {
      share.running++
      return undefined
    }
    if (share.waiting.size >= MAX_WAITING) return 'full'
    return new Promise((resolve) => {
      const end = (reason?: Refused) => {
        share.waiting.delete(enter)
        signal.removeEventListener('abort', leave)
        stop()
        resolve(reason)
      }
      const enter = () => end()
      const leave = () => end('gone')
      share.waiting.add(enter)
      const stop = afterwards(() => end('waited'))
      signal.addEventListener('abort', leave)
      if (signal.aborted) leave()
    })
  }

  /** Gives the place to the run that waits longest. */
  leave(principal: string): void {
    const share = this.#shares.get(principal)
    if (!share) return
    const [next] = share.waiting
    if (next) next()
    else if (--share.running === 0) this.#shares.delete(principal)
  }
}
