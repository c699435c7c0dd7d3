import type { PrincipalKey } from '../../session/store.ts'

interface Delivery {
  readonly address: string
  readonly noted: Promise<void>
}

/**
 * Answers that have reached their readers while the note of it is still on its way to the store: who calls again at once
 * must not be taught the same rows again.
 */
export class Deliveries {
  readonly #underWay = new Map<PrincipalKey, Set<Delivery>>()

  /** Follows a note until it is stored, or lost. */
  follow(principal: PrincipalKey, address: string, noted: Promise<void>): Promise<void> {
    const delivery = { address, noted }
    const own = this.#underWay.get(principal) ?? new Set()
    this.#underWay.set(principal, own.add(delivery))
    const forget = () => {
      own.delete(delivery)
      if (own.size === 0 && this.#underWay.get(principal) === own) this.#underWay.delete(principal)
    }
    noted.then(forget, forget)
    return noted
  }

  /** What is under way now. To be asked before the store is: a note that ends meanwhile may not have been seen. */
  of(principal: PrincipalKey): readonly Delivery[] {
    const own = this.#underWay.get(principal)
    return own ? [...own] : NONE
  }
}

const NONE: readonly Delivery[] = []

/** Resolves once these notes about a session are stored or lost; says whether there was any. */
export async function settled(deliveries: readonly Delivery[], address: string): Promise<boolean> {
  const own = deliveries.filter((delivery) => delivery.address === address)
  await Promise.allSettled(own.map(({ noted }) => noted))
  return own.length > 0
}
