import type { Clock } from '../../../base/clock.ts'
import type { Functions } from './functions.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import type { StoreEpoch } from './store-epoch.ts'

/** Shared by the parts of one Redis store. */
export interface RedisParts {
  readonly link: Link
  readonly functions: Functions
  readonly epoch: StoreEpoch
  readonly keys: Keys
  /** Set only by tests: otherwise the Redis server's clock is used. */
  readonly clock: Clock | undefined
}
