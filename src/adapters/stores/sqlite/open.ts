import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, rm, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { hasCode, reasonOf } from '../../../base/errors.ts'
import type { Clock } from '../../../base/clock.ts'
import { StoreError, storeProblem } from '../problems.ts'
import { toStoreError, whenFree } from './busy.ts'
import { openDriver, type Driver } from './driver.ts'
import { migrate, schemaGuard } from './migrate.ts'
import { SCHEMA, TABLES } from './schema.ts'

/** File systems on which SQLite's locks are unreliable, by their Linux magic numbers: NFS, SMB, CIFS, SMB2, AFS, 9P. */
const NETWORK = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x01021997])

/** Files up to this size are read completely when opened, so that damage shows before the first call. */
const CHECKED_BYTES = 32 * 1024 * 1024

/**
 * Opens the store's file, or creates it. An existing file is never treated as a new one: if anything is wrong with it,
 * this throws a `StoreError` that names the file (`store_damaged`, `store_foreign`, `store_newer`, `store_unusable`).
 */
export async function openFile(
  path: string,
  clock: Clock,
): Promise<{ readonly db: Driver; readonly file: string }> {
  if (path === '' || path.startsWith(':') || path.includes('\0'))
    throw unusable(path, 'a path of a file was expected')
  const file = resolve(path)
  await prepareFolder(file)
  // In this order: another process may be creating the file concurrently, and it creates the log last.
  const hasLog = (await sizeOf(`${file}-wal`)) !== undefined
  const isNew = (await sizeOf(file)) === undefined
  if (isNew && hasLog) throw damaged(file, 'only its -wal file is there')
  if (isNew) await create(file, clock)
  const bytes = (await sizeOf(file)) ?? 0
  if (bytes === 0) throw damaged(file, 'it is empty')
  await restrict(file)
  return { db: await connect(file, bytes <= CHECKED_BYTES), file }
}

/** The layout version of a file, without changing it; undefined if there is no file. */
export async function layoutOf(
  file: string,
): Promise<{ readonly found: number; readonly known: number } | undefined> {
  if ((await sizeOf(file)) === undefined) return undefined
  const db = await openDriver(file).catch((error: unknown) => Promise.reject(toStoreError(file, error)))
  try {
    return { found: await whenFree(file, schemaGuard(db, file)), known: SCHEMA }
  } finally {
    db.close()
  }
}

/** From so many pages on, each commit copies the log into the file itself. */
const LONGEST_LOG = 8192

async function connect(file: string, readThrough: boolean): Promise<Driver> {
  const db = await openDriver(file).catch((error: unknown) => Promise.reject(toStoreError(file, error)))
  try {
    // Short: SQLite's own wait for a lock blocks the whole process; longer waits are made outside.
    await whenFree(file, () =>
      db.exec(
        `PRAGMA busy_timeout = 5; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${LONGEST_LOG}`,
      ),
    )
    const schemaOf = schemaGuard(db, file)
    await whenFree(file, schemaOf)
    const mode = await whenFree(file, () =>
      db.prepare<{ journal_mode: string }>('PRAGMA journal_mode = WAL').get(),
    )
    if (mode?.journal_mode !== 'wal') throw unusable(file, 'its file system cannot hold a write-ahead log')
    if (readThrough) await whenFree(file, () => checkPages(db, file))
    await whenFree(file, () => migrate(db, schemaOf))
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function checkPages(db: Driver, file: string): void {
  const found = db.prepare<{ readonly quick_check: string }>('PRAGMA quick_check(1)').get()?.quick_check
  if (found !== 'ok') throw damaged(file, found ?? 'it cannot be checked')
}

/** Creates the file elsewhere and links it into place: no process sees half of it, and one of two processes wins. */
async function create(file: string, clock: Clock): Promise<void> {
  const draft = `${file}.new-${randomBytes(8).toString('hex')}`
  try {
    await (await open(draft, 'wx', 0o600)).close()
    const db = await openDriver(draft)
    db.exec('PRAGMA journal_mode = DELETE')
    db.exec(
      `BEGIN; ${TABLES} INSERT INTO meta VALUES ('schema', ${SCHEMA}), ('born', ${Math.trunc(clock.now())}), ('commits', 0), ('life', 0); COMMIT`,
    )
    db.close()
    await link(draft, file).catch(unless('EEXIST'))
    await syncFolder(file)
  } catch (error) {
    throw error instanceof StoreError ? error : unusable(file, reasonOf(error))
  } finally {
    await rm(draft, { force: true })
  }
}

async function prepareFolder(file: string): Promise<void> {
  const folder = dirname(file)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { type } = await statfs(folder)
    if (NETWORK.has(type)) throw new Error('its folder is on a network file system')
    const held = await stat(file).catch(unless('ENOENT'))
    if (held && !held.isFile()) throw new Error('something else than a file is there')
  } catch (error) {
    throw unusable(file, reasonOf(error))
  }
}

/** For its owner only; a file of another owner is left as it is. */
async function restrict(file: string): Promise<void> {
  await chmod(file, 0o600).catch(unless('EPERM'))
}

/** A new name is durable once its folder is. */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(unless('ENOENT')))?.size
}

function unless(code: string): (error: unknown) => undefined {
  return (error) => {
    if (hasCode(error, code)) return undefined
    throw error
  }
}

function unusable(file: string, detail: string): StoreError {
  return new StoreError(storeProblem('store_unusable', { file, detail }))
}

function damaged(file: string, detail: string): StoreError {
  return new StoreError(storeProblem('store_damaged', { file, detail }))
}
