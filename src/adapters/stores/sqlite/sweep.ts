import type { Clock } from '../../../base/clock.ts'
import type { Driver } from './driver.ts'

/** Writes between two sweeps. */
const EVERY = 64

/** Catalog models of one sweep at most: they are few, and large. */
const MODELS = 8

/**
 * Drops what has expired: now and then, inside a write transaction, twice as many rows as were written since, so that
 * rubbish cannot pile up and no write waits long. A row goes only if its expiry is still the one that was read.
 */
export function sweeper(db: Driver, clock: Clock): (writes: number) => void {
  const sessions = db.prepare<{ readonly address: string; readonly expires: number }>(
    'SELECT address, expires FROM sessions WHERE expires <= ? LIMIT ?',
  )
  const dropSession = db.prepare('DELETE FROM sessions WHERE address = ? AND expires = ?')
  const dropNames = db.prepare('DELETE FROM names WHERE address = ?')
  const dropEntries = db.prepare(
    'DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries WHERE expires <= ? LIMIT ?)',
  )
  const dropModels = db.prepare(
    'DELETE FROM models WHERE digest IN (SELECT digest FROM models WHERE expires <= ? LIMIT ?)',
  )
  let since = 0
  return (writes) => {
    since += writes
    if (since < EVERY) return
    const limit = since * 2
    since = 0
    const now = clock.now()
    for (const { address, expires } of sessions.all(now, limit)) {
      if (dropSession.run(address, expires) > 0) dropNames.run(address)
    }
    dropEntries.run(now, limit)
    dropModels.run(now, MODELS)
  }
}
