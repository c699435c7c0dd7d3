import type { Driver } from './driver.ts'

/** One step from a layout to the next; inside a transaction. */
export type Migration = (db: Driver) => void

/** The step from layout 0 to 1 stands first, and so on. A step that was released never changes. */
export const MIGRATIONS: readonly Migration[] = [
  // What each principal was told, so that a lost answer is taught again.
  (db) => db.exec('ALTER TABLE names ADD COLUMN told INTEGER NOT NULL DEFAULT 0'),
]

/** The layout that this version reads and writes. */
export const SCHEMA = MIGRATIONS.length

/**
 * The tables. They have row ids: records of a kilobyte without them spill into overflow pages. Expiries are milliseconds
 * since the epoch and stand beside the JSON, so that a touch does not rewrite it.
 */
export const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE sessions (
  address TEXT PRIMARY KEY, revision INTEGER NOT NULL, generation INTEGER NOT NULL, commit_id TEXT NOT NULL,
  row_expires INTEGER NOT NULL, expires INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX sessions_by_expiry ON sessions (expires);
CREATE TABLE names (
  principal TEXT NOT NULL, ordinal INTEGER NOT NULL, address TEXT NOT NULL, told INTEGER NOT NULL DEFAULT 0,
  UNIQUE (principal, ordinal), UNIQUE (principal, address)
);
CREATE INDEX names_by_address ON names (address);
CREATE TABLE name_counters (principal TEXT PRIMARY KEY, next INTEGER NOT NULL);
CREATE TABLE models (digest TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE entries (
  address TEXT NOT NULL, principal TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
  version INTEGER NOT NULL, expires INTEGER NOT NULL, body TEXT NOT NULL,
  UNIQUE (address, principal, kind, name)
);
CREATE INDEX entries_by_expiry ON entries (expires);
CREATE TABLE entry_counters (
  address TEXT NOT NULL, principal TEXT NOT NULL, kind TEXT NOT NULL, last INTEGER NOT NULL,
  UNIQUE (address, principal, kind)
);
`

/**
 * Text of a caller's choosing as a column holds it: as a JSON string, which has neither NUL (drivers cut text there) nor
 * lone surrogates (SQLite would make one character of all of them).
 */
export function column(text: string): string {
  return JSON.stringify(text)
}

/** Back from `column`. */
export function fromColumn(held: string): string {
  return String(JSON.parse(held))
}
