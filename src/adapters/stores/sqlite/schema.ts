import type { Driver } from './driver.ts'

/** The bytes of each principal's bodies, maintained by triggers. */
const ENTRY_BYTES = `
CREATE TABLE IF NOT EXISTS entry_bytes (principal TEXT PRIMARY KEY, bytes INTEGER NOT NULL);
CREATE TRIGGER IF NOT EXISTS entry_added AFTER INSERT ON entries BEGIN
  INSERT INTO entry_bytes VALUES (new.principal, length(CAST(new.body AS BLOB)))
  ON CONFLICT (principal) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER IF NOT EXISTS entry_changed AFTER UPDATE OF body ON entries BEGIN
  UPDATE entry_bytes SET bytes = bytes + length(CAST(new.body AS BLOB)) - length(CAST(old.body AS BLOB))
  WHERE principal = new.principal;
END;
CREATE TRIGGER IF NOT EXISTS entry_gone AFTER DELETE ON entries BEGIN
  UPDATE entry_bytes SET bytes = bytes - length(CAST(old.body AS BLOB)) WHERE principal = old.principal;
END;
`

/** Transcripts and their lines. The bytes of the lines count for their principal. */
const TRANSCRIPTS = `
CREATE TABLE IF NOT EXISTS transcripts (
  number INTEGER PRIMARY KEY AUTOINCREMENT, principal TEXT NOT NULL, id TEXT NOT NULL, head TEXT NOT NULL,
  lines INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0, updated INTEGER NOT NULL, expires INTEGER NOT NULL,
  holder TEXT NOT NULL DEFAULT '', held_until INTEGER NOT NULL DEFAULT 0,
  UNIQUE (principal, id)
);
CREATE INDEX IF NOT EXISTS transcripts_by_expiry ON transcripts (expires);
CREATE TABLE IF NOT EXISTS transcript_lines (
  transcript INTEGER NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (transcript, at)
);
CREATE TRIGGER IF NOT EXISTS transcript_grown AFTER UPDATE OF bytes ON transcripts BEGIN
  INSERT INTO entry_bytes VALUES (new.principal, new.bytes - old.bytes)
  ON CONFLICT (principal) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER IF NOT EXISTS transcript_gone AFTER DELETE ON transcripts BEGIN
  DELETE FROM transcript_lines WHERE transcript = old.number;
  UPDATE entry_bytes SET bytes = bytes - old.bytes WHERE principal = old.principal;
END;
`

const MODELS_BY_EXPIRY = 'CREATE INDEX IF NOT EXISTS models_by_expiry ON models (expires);'

/** The tables whose rows may be lost when a file is restored from a backup. */
const LIVES = ['sessions', 'name_counters', 'entries', 'entry_counters']

/** A migration from one layout to the next; inside a transaction. */
export type Migration = (db: Driver) => void

/** The first migrates layout 0 to 1, and so on. A released migration never changes. */
export const MIGRATIONS: readonly Migration[] = [
  // What was delivered to each principal, so that a lost answer is taught again.
  (db) => db.exec('ALTER TABLE names ADD COLUMN told INTEGER NOT NULL DEFAULT 0'),
  // The bytes that each principal stores.
  (db) =>
    db.exec(
      `${ENTRY_BYTES} DELETE FROM entry_bytes;
       INSERT INTO entry_bytes SELECT principal, sum(length(CAST(body AS BLOB))) FROM entries GROUP BY principal;`,
    ),
  // How far the file was written, the epoch of each row, and how long each model is kept.
  (db) =>
    db.exec(
      `${LIVES.map((table) => `ALTER TABLE ${table} ADD COLUMN life INTEGER NOT NULL DEFAULT 0;`).join(' ')}
       INSERT INTO meta VALUES ('commits', 0), ('life', 0);
       ALTER TABLE models ADD COLUMN expires INTEGER NOT NULL DEFAULT 0;
       UPDATE models SET expires = coalesce((SELECT max(expires) FROM sessions), 0) + 86400000;
       ${MODELS_BY_EXPIRY}`,
    ),
  // Conversations of hosts.
  (db) => db.exec(TRANSCRIPTS),
]

/** The layout that this version reads and writes. */
export const SCHEMA = MIGRATIONS.length

/**
 * The tables. They have row ids: without them, records of a kilobyte spill into overflow pages. Expiries are milliseconds
 * since the epoch in columns beside the JSON, so that a touch does not rewrite it.
 */
export const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE sessions (
  address TEXT PRIMARY KEY, revision INTEGER NOT NULL, generation INTEGER NOT NULL, commit_id TEXT NOT NULL,
  row_expires INTEGER NOT NULL, expires INTEGER NOT NULL, body TEXT NOT NULL, life INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sessions_by_expiry ON sessions (expires);
CREATE TABLE names (
  principal TEXT NOT NULL, ordinal INTEGER NOT NULL, address TEXT NOT NULL, told INTEGER NOT NULL DEFAULT 0,
  UNIQUE (principal, ordinal), UNIQUE (principal, address)
);
CREATE INDEX names_by_address ON names (address);
CREATE TABLE name_counters (principal TEXT PRIMARY KEY, next INTEGER NOT NULL, life INTEGER NOT NULL DEFAULT 0);
CREATE TABLE models (digest TEXT PRIMARY KEY, body TEXT NOT NULL, expires INTEGER NOT NULL DEFAULT 0);
${MODELS_BY_EXPIRY}
CREATE TABLE entries (
  address TEXT NOT NULL, principal TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
  version INTEGER NOT NULL, expires INTEGER NOT NULL, body TEXT NOT NULL, life INTEGER NOT NULL DEFAULT 0,
  UNIQUE (address, principal, kind, name)
);
CREATE INDEX entries_by_expiry ON entries (expires);
CREATE TABLE entry_counters (
  address TEXT NOT NULL, principal TEXT NOT NULL, kind TEXT NOT NULL, last INTEGER NOT NULL,
  life INTEGER NOT NULL DEFAULT 0,
  UNIQUE (address, principal, kind)
);
${ENTRY_BYTES}
${TRANSCRIPTS}`

/**
 * Encodes text from a caller for a column: a JSON string contains neither NUL (drivers truncate there) nor lone
 * surrogates (SQLite would map them all to one character).
 */
export function column(text: string): string {
  return JSON.stringify(text)
}

/** Decodes `column`. */
export function fromColumn(held: string): string {
  return String(JSON.parse(held))
}
