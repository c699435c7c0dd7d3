import { giveWay, serveJobs } from '../../threads/serve-jobs.ts'
import { openDriver } from './driver.ts'

/** Passes over a log that grows meanwhile. */
const MAX_PASSES = 20

/** The thread of `Checkpoints`. */
giveWay()
serveJobs<string, never>(async (file) => {
  const db = await openDriver(file)
  // Passive: it waits for no other connection and blocks no writer. After a complete copy, SQLite writes the log from its start again.
  const pass = db.prepare<{ readonly log: number; readonly checkpointed: number }>(
    'PRAGMA wal_checkpoint(PASSIVE)',
  )
  for (let count = 0; count < MAX_PASSES; count++) {
    const copied = pass.get()
    if (copied?.log === copied?.checkpointed) break
  }
  db.close()
  return []
})
