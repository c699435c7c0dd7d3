import { StoreError, storeProblem } from '../problems.ts'
import { resultCode, SQL_ERROR, type Driver, type Statement } from './driver.ts'
import { MIGRATIONS, SCHEMA, type Migration } from './schema.ts'

/** Returns a check of the file's layout, which throws if the file is not a store of ours or is of a newer version. */
export function schemaGuard(db: Driver, file: string): () => number {
  let schema: Statement<{ readonly value: number }> | undefined
  return () => {
    let found: number | undefined
    try {
      schema ??= db.prepare("SELECT value FROM meta WHERE key = 'schema'")
      found = schema.get()?.value
    } catch (error) {
      if (resultCode(error) !== SQL_ERROR) throw error
    }
    if (found === undefined || found < 0)
      throw new StoreError(storeProblem('store_foreign', { file, detail: 'it lacks our tables' }))
    if (found > SCHEMA) throw new StoreError(storeProblem('store_newer', { file, found, known: SCHEMA }))
    return found
  }
}

/**
 * Migrates a file of an older version to this layout: all steps in one transaction, or none. Processes of the older
 * version that still have it open refuse to write from then on.
 */
export function migrate(
  db: Driver,
  schemaOf: () => number,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  if (schemaOf() >= migrations.length) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have done it since.
    for (const step of migrations.slice(schemaOf())) step(db)
    db.exec(`UPDATE meta SET value = ${migrations.length} WHERE key = 'schema'; COMMIT`)
  } catch (error) {
    try {
      db.exec('ROLLBACK')
    } catch {
      // SQLite did it already (a full disk).
    }
    throw error
  }
}
