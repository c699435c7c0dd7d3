import type { Clock } from '../../../base/clock.ts'
import type {
  Entry,
  EntryKind,
  EntryStore,
  NewEntry,
  Owner,
  Replacement,
} from '../../../engine/entry-store.ts'
import { whenFree } from './busy.ts'
import type { Driver } from './driver.ts'
import type { Life } from './life.ts'
import { column, fromColumn } from './schema.ts'
import type { SqliteParts } from './sessions.ts'
import type { Writer } from './writer.ts'

interface EntryRow {
  readonly name: string
  readonly version: number
  readonly expires: number
  readonly body: string
  readonly life: number
}

type Key = readonly [address: string, principal: string, kind: string]

const OF_KIND = 'address = ? AND principal = ? AND kind = ?'

function statements(db: Driver) {
  return {
    read: db.prepare<EntryRow>(
      `SELECT name, version, expires, body, life FROM entries WHERE ${OF_KIND} AND name = ? AND expires > ?`,
    ),
    oldest: db.prepare<EntryRow>(
      `SELECT name, version, expires, body, life FROM entries WHERE ${OF_KIND} AND expires > ? ORDER BY rowid LIMIT ?`,
    ),
    dropExpired: db.prepare(`DELETE FROM entries WHERE ${OF_KIND} AND name = ? AND expires <= ?`),
    put: db.prepare(
      `INSERT INTO entries (address, principal, kind, name, version, expires, body, life) VALUES (?, ?, ?, ?, 1, ?, ?, ?)
       ON CONFLICT (address, principal, kind, name) DO NOTHING`,
    ),
    replace: db.prepare(
      `UPDATE entries SET version = version + 1, expires = ?, body = ?, life = ?
       WHERE ${OF_KIND} AND name = ? AND version = ? AND expires > ?`,
    ),
    held: db.prepare<{ readonly held: number }>(
      `SELECT count(*) AS held FROM (SELECT 1 FROM entries WHERE ${OF_KIND} AND expires > ? LIMIT ?)`,
    ),
    bytes: db.prepare<{ readonly bytes: number }>('SELECT bytes FROM entry_bytes WHERE principal = ?'),
    ended: db.prepare<{ readonly bytes: number }>(
      'SELECT coalesce(sum(length(CAST(body AS BLOB))), 0) AS bytes FROM entries WHERE expires <= ? AND principal = ?',
    ),
    last: db.prepare<{ readonly last: number; readonly life: number }>(
      `SELECT last, life FROM entry_counters WHERE ${OF_KIND}`,
    ),
    count: db.prepare(
      `INSERT INTO entry_counters (address, principal, kind, last, life) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (address, principal, kind) DO UPDATE SET last = excluded.last, life = excluded.life`,
    ),
  }
}

/** Entries in an SQLite file. */
export class SqliteEntries implements EntryStore {
  readonly #sql: ReturnType<typeof statements>
  readonly #writer: Writer
  readonly #file: string
  readonly #clock: Clock
  readonly #life: Life

  constructor({ db, writer, file, clock, life }: SqliteParts) {
    this.#sql = statements(db)
    this.#writer = writer
    this.#file = file
    this.#clock = clock
    this.#life = life
  }

  append({ owner, kind, body, lifeMs, most = Infinity }: NewEntry): Promise<number | null> {
    const key = keyOf(owner, kind)
    return this.#writer.write(() => {
      let number = this.#last(key)
      if (this.#isFull(key, number, most)) return null
      do number++
      while (!this.#put(key, String(number), body, lifeMs))
      this.#sql.count.run(...key, number, this.#life.now)
      return number
    })
  }

  claim(entry: NewEntry & { readonly name: string }): Promise<boolean> {
    const { owner, kind, name, body, lifeMs, most = Infinity, isDeferred } = entry
    const key = keyOf(owner, kind)
    const put = () => {
      const ever = this.#last(key)
      if (this.#isFull(key, ever, most) || !this.#put(key, name, body, lifeMs)) return false
      this.#sql.count.run(...key, ever + 1, this.#life.now)
      return true
    }
    return isDeferred ? this.#writer.defer(put) : this.#writer.write(put)
  }

  async read(owner: Owner, kind: EntryKind, name: string): Promise<Entry | null> {
    const row = await whenFree(this.#file, () =>
      this.#sql.read.get(...keyOf(owner, kind), column(name), this.#clock.now()),
    )
    return row ? this.#entry(row) : null
  }

  replace({ owner, kind, name, version, body, lifeMs }: Replacement): Promise<boolean> {
    return this.#writer.write(() => {
      const now = this.#clock.now()
      const to = [now + lifeMs, body, this.#life.now] as const
      return this.#sql.replace.run(...to, ...keyOf(owner, kind), column(name), version, now) > 0
    })
  }

  async entries(owner: Owner, kind: EntryKind, limit: number): Promise<readonly Entry[]> {
    const rows = await whenFree(this.#file, () =>
      this.#sql.oldest.all(...keyOf(owner, kind), this.#clock.now(), limit),
    )
    return rows.map((row) => this.#entry(row))
  }

  holdsBytes(principal: string, most: number): Promise<boolean> {
    return whenFree(this.#file, () => {
      const bytes = this.#sql.bytes.get(column(principal))?.bytes ?? 0
      // Expired entries that were not swept yet are searched for only at the limit.
      if (bytes < most) return false
      return bytes - (this.#sql.ended.get(this.#clock.now(), column(principal))?.bytes ?? 0) >= most
    })
  }

  /** Does the owner hold this many? Counted only if it ever held so many; inside a transaction. */
  #isFull(key: Key, ever: number, most: number): boolean {
    return ever >= most && (this.#sql.held.get(...key, this.#clock.now(), most)?.held ?? 0) >= most
  }

  /** Inserts an entry unless a live one exists; inside a transaction. */
  #put(key: Key, name: string, body: string, lifeMs: number): boolean {
    const now = this.#clock.now()
    this.#sql.dropExpired.run(...key, column(name), now)
    return this.#sql.put.run(...key, column(name), now + lifeMs, body, this.#life.now) > 0
  }

  /** The last number that was allocated, or may have been and was lost; inside a transaction. */
  #last(key: Key): number {
    const { last, life } = this.#sql.last.get(...key) ?? { last: 0, life: 0 }
    return last + this.#life.forgottenSince(life)
  }

  #entry(row: EntryRow): Entry {
    return {
      name: fromColumn(row.name),
      version: row.version,
      body: row.body,
      expiresAt: row.expires,
      ...(row.life !== this.#life.now && { lost: true }),
    }
  }
}

function keyOf(owner: Owner, kind: EntryKind): Key {
  return [owner.address, column(owner.principal), kind]
}
