/** A large value that a generator makes, a slice for each of its steps. */
export class Sliced<Made> {
  readonly #steps: Iterator<void, Made>
  #made: { readonly value: Made } | undefined

  constructor(steps: Iterator<void, Made>) {
    this.#steps = steps
  }

  /** Makes the next slice; false once the value is whole. */
  step(): boolean {
    if (this.#made) return false
    const { done, value } = this.#steps.next()
    if (done) this.#made = { value }
    return !done
  }

  /** The value; makes at once what is left of it. */
  whole(): Made {
    while (!this.#made) this.step()
    return this.#made.value
  }
}
