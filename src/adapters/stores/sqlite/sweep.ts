import type { Clock } from '../../../base/clock.ts'
import { bearerKey } from '../../../session/store.ts'
import type { Driver, Statement } from './driver.ts'
import { column } from './schema.ts'

/** Writes between two sweeps of all but the entries. */
const EVERY = 64

/** Catalog models per sweep, and transcripts: there are few, and they are large. */
const LARGE = 8

/**
 * Deletes expired rows periodically, inside a write transaction: twice as many rows as were written since the last sweep,
 * so that expired rows cannot accumulate and no write waits long. Entries may be large: some are deleted with each commit.
 * A row is deleted only if its expiry is still the one that was read.
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
  const dropTranscripts = db.prepare(
    'DELETE FROM transcripts WHERE number IN (SELECT number FROM transcripts WHERE expires <= ? LIMIT ?)',
  )
  const dropBearer = db.prepare('DELETE FROM name_counters WHERE principal = ?')
  const rounds = [
    // A session that is opened there later has another ref, so the entries of the old one are unreachable.
    new Round(
      db,
      'entry_counters',
      `NOT EXISTS (SELECT 1 FROM sessions s WHERE s.address = entry_counters.address) AND NOT EXISTS (SELECT 1 FROM entries e
         WHERE e.address = entry_counters.address AND e.principal = entry_counters.principal AND e.kind = entry_counters.kind)`,
    ),
    new Round(db, 'entry_bytes', 'bytes <= 0'),
  ]
  let since = 0
  return (writes) => {
    dropEntries.run(clock.now(), writes * 2)
    since += writes
    if (since < EVERY) return
    const limit = since * 2
    since = 0
    const now = clock.now()
    for (const { address, expires } of sessions.all(now, limit)) {
      if (dropSession.run(address, expires) === 0) continue
      dropNames.run(address)
      dropBearer.run(column(bearerKey(address)))
    }
    dropModels.run(now, LARGE)
    dropTranscripts.run(now, LARGE)
    for (const round of rounds) round.step(limit)
  }
}

/** Cycles through a table without an expiry, a few rows at a time, and deletes rows that are no longer needed. */
class Round {
  readonly #end: Statement<{ readonly last: number | null }>
  readonly #drop: Statement<never>
  #from = 0

  constructor(db: Driver, table: string, isOver: string) {
    this.#end = db.prepare(
      `SELECT max(at) AS last FROM (SELECT rowid AS at FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?)`,
    )
    this.#drop = db.prepare(`DELETE FROM ${table} WHERE rowid > ? AND rowid <= ? AND ${isOver}`)
  }

  step(rows: number): void {
    const last = this.#end.get(this.#from, rows)?.last ?? null
    if (last !== null) this.#drop.run(this.#from, last)
    this.#from = last ?? 0
  }
}
