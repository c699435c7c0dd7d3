import type { Identity } from '../../access/identity.ts'

/** A valid credential, and when it was issued (milliseconds since the epoch) if it states that. */
export interface Proof {
  readonly identity: Identity
  readonly issuedAt: number | undefined
}
