import type { Identity } from '../../access/identity.ts'

/** A credential that holds, and when it was issued (milliseconds since the epoch) as far as it says. */
export interface Proof {
  readonly identity: Identity
  readonly issuedAt: number | undefined
}
