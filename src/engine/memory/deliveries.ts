import type { Owner } from '../entry-store.ts'
import type { Found, PrincipalKey } from '../../session/store.ts'
import type { Parts } from '../parts.ts'

/** How long other processes wait for the note of a delivery, at most. */
const DELIVERY_MS = 1000
const LOOK_AGAIN_MS = 5

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
export async function waitForDeliveries(deliveries: readonly Delivery[], address: string): Promise<boolean> {
  const own = deliveries.filter((delivery) => delivery.address === address)
  await Promise.allSettled(own.map(({ noted }) => noted))
  return own.length > 0
}

/** Lets other processes know that an answer up to this revision of the session is on its way to its reader. */
export async function announceDelivery({ store }: Parts, owner: Owner, revision: number): Promise<void> {
  await store.claim({ owner, kind: 'delivery', name: String(revision), body: 'null', lifeMs: DELIVERY_MS })
}

/**
 * What `find` finds once the answers that other processes are delivering are noted, so that none is repeated. An answer
 * that was lost on its way delays the next one by a second at most.
 */
export async function deliveredElsewhere(
  parts: Parts,
  principal: PrincipalKey,
  first: Found,
  find: () => Promise<Found>,
): Promise<Found> {
  let found = first
  while (found.record && found.delivered < found.record.revision) {
    const { address, revision } = found.record
    if (!(await parts.store.read({ address, principal }, 'delivery', String(revision)))) return find()
    await pause(parts)
    found = await find()
  }
  return found
}

function pause({ every }: Parts): Promise<void> {
  return new Promise((resolve) => {
    const stop = every(LOOK_AGAIN_MS, async () => {
      stop()
      resolve()
    })
  })
}
