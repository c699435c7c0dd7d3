import type { Clock } from '../clock.ts'

/** How long one call may keep the thread before other calls go on. */
const SLICE_MS = 2

/** How much work is under way at once: more than calls of a catalog may be, so that it never waits for the next one. */
const MAX_AT_ONCE = 32

/** Work over many rows, done in slices: other calls are answered between them. */
export class Pace {
  readonly #clock: Clock
  readonly #pause: () => Promise<void>
  #began = 0
  #resting: Promise<void> | undefined

  /** @param pause lets other work of the process go on */
  constructor(clock: Clock, pause: () => Promise<void>) {
    this.#clock = clock
    this.#pause = pause
  }

  /** Has the slice lasted long enough? Then the work is to `rest` before its next item. */
  get isDue(): boolean {
    return Math.abs(this.#clock.now() - this.#began) >= SLICE_MS
  }

  /** Ends the slice; resolves with the beginning of the next one. Works that are due at once rest together. */
  async rest(): Promise<void> {
    this.#resting ??= this.#pause().finally(() => (this.#resting = undefined))
    await this.#resting
    this.#began = this.#clock.now()
  }

  async map<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
    const made: Made[] = []
    for (const item of items) {
      if (this.isDue) await this.rest()
      made.push(make(item))
    }
    return made
  }

  /** The value that these steps make. */
  async made<Made>(steps: Iterator<void, Made>): Promise<Made> {
    for (;;) {
      if (this.isDue) await this.rest()
      const { done, value } = steps.next()
      if (done) return value
    }
  }

  /**
   * Works on the items, a few at once; resolves with what came of each, in their order. Once something `isFinal`, no further
   * item is started: it is what came of the rest as well. Rejects as the first work that rejects, once all has ended.
   */
  async all<Item, Made>(
    items: readonly Item[],
    work: (item: Item) => Promise<Made>,
    isFinal: (made: Made) => boolean,
  ): Promise<Made[]> {
    const made: Made[] = []
    const waiting = items.entries()
    let final: Made | undefined
    const lane = async () => {
      for (const [at, item] of waiting) {
        if (this.isDue) await this.rest()
        const one = final ?? (await work(item))
        made[at] = one
        if (final === undefined && isFinal(one)) final = one
      }
    }
    const lanes = Array.from({ length: Math.min(items.length, MAX_AT_ONCE) }, lane)
    for (const ended of await Promise.allSettled(lanes)) if (ended.status === 'rejected') throw ended.reason
    return made
  }

  async filter<Item>(items: readonly Item[], isKept: (item: Item) => boolean): Promise<Item[]> {
    const kept: Item[] = []
    for (const item of items) {
      if (this.isDue) await this.rest()
      if (isKept(item)) kept.push(item)
    }
    return kept
  }

  /** The items in order: stable, as `toSorted` is. */
  async sorted<Item>(items: readonly Item[], order: (a: Item, b: Item) => number): Promise<Item[]> {
    const middle = items.length >> 1
    if (middle === 0) return [...items]
    const [left, right] = [
      await this.sorted(items.slice(0, middle), order),
      await this.sorted(items.slice(middle), order),
    ]
    return this.#merged(left, right, order)
  }

  async #merged<Item>(
    left: readonly Item[],
    right: readonly Item[],
    order: (a: Item, b: Item) => number,
  ): Promise<Item[]> {
    const merged: Item[] = []
    let [at, other] = [0, 0]
    for (;;) {
      if (this.isDue) await this.rest()
      const [a, b] = [left[at], right[other]]
      if (at >= left.length || a === undefined) return [...merged, ...right.slice(other)]
      if (other >= right.length || b === undefined) return [...merged, ...left.slice(at)]
      if (order(a, b) <= 0) {
        merged.push(a)
        at++
      } else {
        merged.push(b)
        other++
      }
    }
  }

  /** The text of these pieces. */
  async text(pieces: Iterable<string>): Promise<string> {
    const written: string[] = []
    for (const piece of pieces) {
      written.push(piece)
      if (this.isDue) await this.rest()
    }
    return written.join('')
  }

  /** How many characters these pieces have. Stops at the first piece behind so many. */
  async length(pieces: Iterable<string>, most: number): Promise<number> {
    let length = 0
    for (const piece of pieces) {
      length += piece.length
      if (length > most) break
      if (this.isDue) await this.rest()
    }
    return length
  }
}
