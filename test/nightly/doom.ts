import type { Store } from '../../src/engine/store.ts'
import type { Wire } from '../../src/execution/wire.ts'

/** Lets a process do so many steps with the store and the wire; it dies before or after the next one is done. */
export class Doom {
  isDead = false
  /** Resolves at its death. */
  readonly died: Promise<void>
  /** Its own: what waits for a promise is held as long as that is. */
  readonly #dead = new Promise<never>(() => undefined)
  #steps = 0
  #die = () => {}
  readonly #at: number
  readonly #isAfter: boolean

  constructor(at: number, isAfter: boolean) {
    this.#at = at
    this.#isAfter = isAfter
    this.died = new Promise((done) => {
      this.#die = () => {
        this.isDead = true
        done()
      }
    })
  }

  store(store: Store): Store {
    return {
      ...store,
      findByRef: (...all) => this.#step(() => store.findByRef(...all)),
      claim: (...all) => this.#step(() => store.claim(...all)),
      read: (...all) => this.#step(() => store.read(...all)),
      replace: (...all) => this.#step(() => store.replace(...all)),
      append: (...all) => this.#step(() => store.append(...all)),
    }
  }

  wire(wire: Wire): Wire {
    return { send: (...all) => this.#step(() => wire.send(...all)) }
  }

  async #step<Value>(work: () => Promise<Value>): Promise<Value> {
    const mine = this.#steps++
    if (mine > this.#at || (mine === this.#at && !this.#isAfter)) {
      this.#die()
      return this.#dead
    }
    const value = await work()
    if (mine !== this.#at) return this.isDead ? this.#dead : value
    this.#die()
    return this.#dead
  }
}
