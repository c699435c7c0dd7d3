import type { Clock } from '../../../base/clock.ts'
import type { Store } from '../../../engine/store.ts'
import { composeStore } from '../compose.ts'
import { Checkpoints } from './checkpoints.ts'
import { SqliteEntries } from './entries.ts'
import { Life } from './life.ts'
import { schemaGuard } from './migrate.ts'
import { SqliteModels } from './models.ts'
import { openFile } from './open.ts'
import { Presence } from './presence.ts'
import { SqliteSessions } from './sessions.ts'
import { sweeper } from './sweep.ts'
import { SqliteTranscripts } from './transcripts.ts'
import { Writer } from './writer.ts'

/**
 * A store in one SQLite file, which several processes of one machine may share. A call's changes are on the disk before
 * its promise resolves. Rejects with a `StoreError` if the file is unusable.
 *
 * @param options.path of the file; it and its folder are created for this user only
 */
export async function sqliteStore(options: { readonly path: string; readonly clock: Clock }): Promise<Store> {
  const { db, file } = await openFile(options.path, options.clock)
  const { clock } = options
  const life = await Life.of(db, file)
  const writer = new Writer({
    db,
    file,
    checkVersion: schemaGuard(db, file),
    upkeep: sweeper(db, clock),
    life,
    presence: new Presence(file),
    checkpoints: new Checkpoints(file),
  })
  const models = new SqliteModels(db, writer, file, clock)
  let ended: Promise<void> | undefined
  const parts = { db, writer, file, clock, life }
  const sessions = new SqliteSessions(parts, models)
  const entries = new SqliteEntries(parts)
  const transcripts = new SqliteTranscripts(parts)
  return composeStore(`sqlite (${db.name})`, { sessions, entries, transcripts }, () => {
    ended ??= writer.close().then(() => {
      db.close()
      life.close()
    })
    return ended
  })
}
