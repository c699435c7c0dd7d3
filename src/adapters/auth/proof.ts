import type { Identity } from '../../access/identity.ts'
import type { Surface } from '../../access/surface.ts'

/** A valid credential, and when it was issued (milliseconds since the epoch) if it states that. */
export interface Proof {
  readonly identity: Identity
  readonly issuedAt: number | undefined
  /** What the credential may be used for; absent: everything. */
  readonly only?: readonly Surface[]
}
