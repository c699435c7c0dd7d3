import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../base/clock.ts'
import type { Catalog } from '../../../catalog/model.ts'
import { UNNAMED_MS } from '../stored.ts'
import { whenFree } from './busy.ts'
import type { Driver } from './driver.ts'
import type { Writer } from './writer.ts'

function statements(db: Driver) {
  return {
    put: db.prepare(
      `INSERT INTO models (digest, body, expires) VALUES (?, ?, ?)
       ON CONFLICT (digest) DO UPDATE SET expires = max(expires, excluded.expires)`,
    ),
    hold: db.prepare('UPDATE models SET expires = ? WHERE digest = ? AND expires < ?'),
    isThere: db.prepare<{ readonly one: number }>('SELECT 1 AS one FROM models WHERE digest = ?'),
    read: db.prepare<{ readonly body: string }>('SELECT body FROM models WHERE digest = ?'),
  }
}

/** Catalog models in an SQLite file, kept as long as the last record that names them. */
export class SqliteModels {
  readonly #sql: ReturnType<typeof statements>
  readonly #writer: Writer
  readonly #file: string
  readonly #clock: Clock
  /** What this process stored: stored again if it was swept before a record named it. */
  readonly #stored = new LRUCache<string, Catalog>({ max: 1024 })
  /** The expiry of each model, as far as this process knows: the file may hold a later one, never an earlier one. */
  readonly #heldUntil = new LRUCache<string, number>({ max: 4096 })

  constructor(db: Driver, writer: Writer, file: string, clock: Clock) {
    this.#sql = statements(db)
    this.#writer = writer
    this.#file = file
    this.#clock = clock
  }

  async keep(digest: string, model: Catalog): Promise<void> {
    const now = this.#clock.now()
    if (this.#stored.has(digest) && (this.#heldUntil.get(digest) ?? 0) > now) return
    const until = now + UNNAMED_MS
    const text = JSON.stringify(model)
    await this.#writer.write(() => this.#sql.put.run(digest, text, until))
    this.#stored.set(digest, model)
    this.#remember(digest, until)
  }

  async load(digest: string): Promise<Catalog | null> {
    const row = await whenFree(this.#file, () => this.#sql.read.get(digest))
    return row ? JSON.parse(row.body) : null
  }

  /**
   * Keeps the models until then at least, and a day longer, so that this need not be repeated with each record; inside a
   * transaction. Returns what to do after the commit.
   */
  hold(digests: readonly string[], until: number): () => void {
    const short = digests.filter((digest) => (this.#heldUntil.get(digest) ?? 0) < until)
    const later = until + UNNAMED_MS
    for (const digest of short) {
      if (this.#sql.hold.run(later, digest, later) > 0 || this.#sql.isThere.get(digest)) continue
      const model = this.#stored.get(digest)
      if (model) this.#sql.put.run(digest, JSON.stringify(model), later)
    }
    return () => short.forEach((digest) => this.#remember(digest, later))
  }

  #remember(digest: string, until: number): void {
    this.#heldUntil.set(digest, Math.max(this.#heldUntil.get(digest) ?? 0, until))
  }
}
