import type { Clock } from '../base/clock.ts'
import type { Secret } from '../base/hash.ts'
import type { CatalogSource } from '../catalog/source.ts'
import type { Budget } from '../execution/budget.ts'
import type { Wire } from '../execution/wire.ts'
import type { Store } from './store.ts'

/** How long things live and how much of them there may be. Times in milliseconds. */
export interface Limits {
  /** Idle life of an execute row. */
  readonly rowLifeMs: number
  /** Idle life of the logical record. */
  readonly recordLifeMs: number
  readonly planLifeMs: number
  readonly pageLifeMs: number
  readonly snapshotLifeMs: number
  readonly effectLifeMs: number
  readonly seedsPerCall: number
  readonly entitiesPerSession: number
  readonly wavesPerSession: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const DEFAULT_LIMITS: Limits = {
  rowLifeMs: HOUR,
  recordLifeMs: 30 * DAY,
  planLifeMs: 10 * MINUTE,
  pageLifeMs: DAY,
  snapshotLifeMs: 7 * DAY,
  effectLifeMs: 30 * DAY,
  seedsPerCall: 100,
  entitiesPerSession: 1000,
  wavesPerSession: 500,
}

/** What the engine is put together from: its ports, and the values that must come from outside. */
export interface Parts {
  readonly store: Store
  readonly catalogs: CatalogSource
  readonly wire: Wire
  readonly clock: Clock
  /** The deployment's: equal on all nodes. */
  readonly secret: Secret
  /** 128 random bits in hex, new at each call. */
  readonly newId: () => string
  readonly limits: Limits
  readonly budget: Budget
  /** What a caller may do with a write or side effect of a catalog. */
  readonly effectPolicy: (catalog: string) => 'allow' | 'review' | 'deny'
}
