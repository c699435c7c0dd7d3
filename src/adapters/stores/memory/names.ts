/** A principal's names for sessions. The counter only grows, so that no number is given twice. */
export class Names {
  #next = 0
  readonly #addresses = new Map<number, string>()
  readonly #ordinals = new Map<string, number>()

  /** The number of the session, given now where it has none. */
  ordinalFor(address: string): number {
    const known = this.#ordinals.get(address)
    if (known !== undefined) return known
    const ordinal = this.#next++
    this.#addresses.set(ordinal, address)
    this.#ordinals.set(address, ordinal)
    return ordinal
  }

  ordinalOf(address: string): number | undefined {
    return this.#ordinals.get(address)
  }

  addressOf(ordinal: number): string | undefined {
    return this.#addresses.get(ordinal)
  }

  /** Forgets the name of the session; its number stays used. */
  drop(address: string): void {
    const ordinal = this.#ordinals.get(address)
    if (ordinal === undefined) return
    this.#ordinals.delete(address)
    this.#addresses.delete(ordinal)
  }

  /** Newest first. */
  newestFirst(): readonly (readonly [ordinal: number, address: string])[] {
    return [...this.#addresses].toReversed()
  }
}
