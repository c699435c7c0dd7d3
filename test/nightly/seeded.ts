/** Random numbers that a seed gives again: what a night found can be found by day. */
export class Seeded {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to below `most`. */
  next(most: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.next(values.length)]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }
}
