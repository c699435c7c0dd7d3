import type { PrincipalKey } from '../../session/store.ts'

interface Delivery {
  readonly address: string
  readonly noted: Promise<void>
}

/**
 * Deliveries whose note is still on its way to the store: a caller that calls again at once must not be taught the same
 * rows again.
 */
export class Deliveries {
  readonly #underWay = new Map<PrincipalKey, Set<Delivery>>()

  /** Tracks a note until it is stored or lost. */
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

  /** The notes that are pending. Read it before the store: a note that ends meanwhile may be missing from what was found. */
  of(principal: PrincipalKey): readonly Delivery[] {
    const own = this.#underWay.get(principal)
    return own ? [...own] : NONE
  }
}

const NONE: readonly Delivery[] = []

/** Resolves once these notes about a session are stored or lost. True if there was any. */
export async function settled(deliveries: readonly Delivery[], address: string): Promise<boolean> {
  const own = deliveries.filter((delivery) => delivery.address === address)
  await Promise.allSettled(own.map(({ noted }) => noted))
  return own.length > 0
}
