/** A principal's names for sessions. The counter only grows, so that no number is given twice. */
export class Names {
  #next = 0
  readonly #addresses = new Map<number, string>()
  readonly #ordinals = new Map<string, number>()
  readonly #delivered = new Map<string, number>()

  get size(): number {
    return this.#ordinals.size
  }

  /** The number of the session, allocated on first use. */
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

  /** The revision up to which the principal holds the rows of the session. */
  deliveredOf(address: string): number {
    return this.#delivered.get(address) ?? 0
  }

  markDelivered(address: string, revision: number): void {
    if (this.#ordinals.has(address))
      this.#delivered.set(address, Math.max(this.deliveredOf(address), revision))
  }

  addressOf(ordinal: number): string | undefined {
    return this.#addresses.get(ordinal)
  }

  /** Drops the name of the session; its number stays used. */
  drop(address: string): void {
    const ordinal = this.#ordinals.get(address)
    if (ordinal === undefined) return
    this.#ordinals.delete(address)
    this.#addresses.delete(ordinal)
    this.#delivered.delete(address)
  }

  /** Newest first. */
  newestFirst(): readonly (readonly [ordinal: number, address: string])[] {
    return [...this.#addresses].toReversed()
  }
}
