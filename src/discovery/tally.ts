/** Adds up what each document has of the words of a text. */
export class Tally {
  /** By document: the sum over the words. */
  readonly sums: Float32Array
  /** By document: how many of the words it has; a similar word counts less than 1. */
  readonly times: Float32Array
  readonly #best: Float32Array
  readonly #likeness: Float32Array
  #met: number[] = []

  constructor(documents: number) {
    this.sums = new Float32Array(documents)
    this.times = new Float32Array(documents)
    this.#best = new Float32Array(documents)
    this.#likeness = new Float32Array(documents)
  }

  /** The document has the current word, or one that is similar. */
  meet(document: number, value: number, likeness: number): void {
    if (this.#likeness[document] === 0) this.#met.push(document)
    this.#best[document] = Math.max(this.#best[document] ?? 0, value)
    this.#likeness[document] = Math.max(this.#likeness[document] ?? 0, likeness)
  }

  /** Ends a word: of it and those similar to it, only the one that counts most in a document is added. */
  next(): void {
    for (const document of this.#met) {
      this.sums[document] = (this.sums[document] ?? 0) + (this.#best[document] ?? 0)
      this.times[document] = (this.times[document] ?? 0) + (this.#likeness[document] ?? 0)
      this.#best[document] = 0
      this.#likeness[document] = 0
    }
    this.#met = []
  }
}
