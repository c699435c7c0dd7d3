import type { Clock } from '../../../base/clock.ts'
import type { Functions } from './functions.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import type { StoreEpoch } from './store-epoch.ts'

/** What the parts of one Redis store share. */
export interface RedisParts {
  readonly link: Link
  readonly functions: Functions
  readonly epoch: StoreEpoch
  readonly keys: Keys
  /** Only tests set it: otherwise the Redis server's own clock counts. */
  readonly clock: Clock | undefined
}
