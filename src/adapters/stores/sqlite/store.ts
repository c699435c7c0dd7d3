import type { Clock } from '../../../base/clock.ts'
import type { Store } from '../../../engine/store.ts'
import { composeStore } from '../compose.ts'
import { SqliteEntries } from './entries.ts'
import { schemaGuard } from './migrate.ts'
import { openFile } from './open.ts'
import { SqliteSessions } from './sessions.ts'
import { sweeper } from './sweep.ts'
import { Writer } from './writer.ts'

/**
 * A store in one SQLite file, which several processes of one machine may share. What a call answered is on the disk
 * before its promise resolves. Rejects with a `StoreError` where the file cannot be what it should be.
 *
 * @param options.path of the file; it and its folder are created for this user only
 */
export async function sqliteStore(options: { readonly path: string; readonly clock: Clock }): Promise<Store> {
  const { db, file } = await openFile(options.path, options.clock)
  const writer = new Writer(db, file, schemaGuard(db, file), sweeper(db, options.clock))
  const sessions = new SqliteSessions(db, writer, file, options.clock)
  const entries = new SqliteEntries(db, writer, file, options.clock)
  return composeStore(`sqlite (${db.name})`, sessions, entries, async () => {
    await writer.close()
    db.close()
  })
}
