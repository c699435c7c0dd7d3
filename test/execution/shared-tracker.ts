import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Runner, runnerOf } from './served.ts'
import { startTracker, type Tracker } from './tracker.ts'

/** What the tests of a file share: a tracker, and programs over the real wire. Set before the first test. */
interface SharedTracker {
  tracker: Tracker
  served: Runner
}

/** Starts a tracker for the tests of this file, and empties its log before each. */
export function sharedTracker(): SharedTracker {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- vitest runs no test before the hook
  const shared = {} as SharedTracker
  beforeAll(async () => {
    shared.tracker = await startTracker(25)
    shared.served = runnerOf(shared.tracker.pinned.catalog)
  })
  afterAll(async () => {
    await shared.served.close()
    await shared.tracker.close()
  })
  beforeEach(() => void shared.tracker.log.splice(0))
  return shared
}
