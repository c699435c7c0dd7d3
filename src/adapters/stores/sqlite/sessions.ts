import type { Clock } from '../../../base/clock.ts'
import type { Catalog } from '../../../catalog/model.ts'
import type { SessionRecord } from '../../../session/record.ts'
import type { Committed, Found, PrincipalKey, SessionStore } from '../../../session/store.ts'
import { assertCommittable, RecordReader, recordToText } from '../stored.ts'
import { whenFree } from './busy.ts'
import type { Driver } from './driver.ts'
import { Reads } from './reads.ts'
import { column } from './schema.ts'
import type { Writer } from './writer.ts'

interface SessionRow {
  readonly body: string
  readonly row_expires: number
  readonly expires: number
}
type NamedRow = SessionRow & { readonly ordinal: number | null; readonly told: number | null }

const RECORD = 's.body, s.row_expires, s.expires'

function statements(db: Driver) {
  return {
    byAddress: db.prepare<NamedRow>(
      `SELECT ${RECORD}, n.ordinal, n.told FROM sessions s LEFT JOIN names n ON n.address = s.address AND n.principal = ?
       WHERE s.address = ? AND s.expires > ?`,
    ),
    byName: db.prepare<NamedRow>(
      `SELECT ${RECORD}, n.ordinal, n.told FROM names n JOIN sessions s ON s.address = n.address
       WHERE n.principal = ? AND n.ordinal = ? AND s.expires > ?`,
    ),
    byNamedAddress: db.prepare<NamedRow>(
      `SELECT ${RECORD}, n.ordinal, n.told FROM names n JOIN sessions s ON s.address = n.address
       WHERE n.principal = ? AND n.address = ? AND s.expires > ?`,
    ),
    newestNames: db.prepare<SessionRow & { readonly ordinal: number }>(
      `SELECT ${RECORD}, n.ordinal FROM names n JOIN sessions s ON s.address = n.address
       WHERE n.principal = ? AND s.expires > ? ORDER BY n.ordinal DESC LIMIT ?`,
    ),
    head: db.prepare<SessionRow & { readonly commit_id: string }>(
      'SELECT commit_id, body, row_expires, expires FROM sessions s WHERE address = ?',
    ),
    put: db.prepare(
      `INSERT INTO sessions (address, revision, generation, commit_id, row_expires, expires, body) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (address) DO UPDATE SET revision = excluded.revision, generation = excluded.generation,
         commit_id = excluded.commit_id, row_expires = excluded.row_expires, expires = excluded.expires, body = excluded.body`,
    ),
    touch: db.prepare(
      `UPDATE sessions SET row_expires = max(row_expires, ?), expires = max(expires, ?)
       WHERE address = ? AND generation = ? AND row_expires > ? AND expires > ?`,
    ),
    tell: db.prepare('UPDATE names SET told = max(told, ?) WHERE principal = ? AND address = ?'),
    dropSession: db.prepare('DELETE FROM sessions WHERE address = ?'),
    ordinal: db.prepare<{ readonly ordinal: number }>(
      'SELECT ordinal FROM names WHERE principal = ? AND address = ?',
    ),
    nextOrdinal: db.prepare<{ readonly next: number }>('SELECT next FROM name_counters WHERE principal = ?'),
    count: db.prepare(
      'INSERT INTO name_counters (principal, next) VALUES (?, 1) ON CONFLICT (principal) DO UPDATE SET next = next + 1',
    ),
    giveName: db.prepare('INSERT INTO names (principal, ordinal, address) VALUES (?, ?, ?)'),
    named: db.prepare<{ readonly named: number }>(
      'SELECT count(*) AS named FROM names n JOIN sessions s ON s.address = n.address WHERE n.principal = ? AND s.expires > ?',
    ),
    dropName: db.prepare('DELETE FROM names WHERE principal = ? AND address = ?'),
    dropNames: db.prepare('DELETE FROM names WHERE address = ?'),
    anyName: db.prepare<{ readonly ordinal: number }>('SELECT ordinal FROM names WHERE address = ? LIMIT 1'),
    keepModel: db.prepare('INSERT INTO models (digest, body) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING'),
    model: db.prepare<{ readonly body: string }>('SELECT body FROM models WHERE digest = ?'),
  }
}

/** Logical sessions in an SQLite file. */
export class SqliteSessions implements SessionStore {
  readonly #sql: ReturnType<typeof statements>
  readonly #writer: Writer
  readonly #file: string
  readonly #clock: Clock
  readonly #reader = new RecordReader()
  readonly #reads: Reads<Omit<Found, 'now'> & { readonly record: SessionRecord }>
  /** Digests that are known to be in the file, so that keeping a model again costs nothing. */
  readonly #kept = new Set<string>()

  constructor(db: Driver, writer: Writer, file: string, clock: Clock) {
    this.#sql = statements(db)
    this.#reads = new Reads(db, writer)
    this.#writer = writer
    this.#file = file
    this.#clock = clock
  }

  findByAddress(principal: PrincipalKey, address: string): Promise<Found> {
    const key = `address ${address} ${principal}`
    return this.#find(key, (now) => this.#sql.byAddress.get(column(principal), address, now))
  }

  findByRef(
    principal: PrincipalKey,
    ref: { readonly ordinal: number } | { readonly address: string },
  ): Promise<Found> {
    const key = 'ordinal' in ref ? `name ${ref.ordinal} ${principal}` : `named ${ref.address} ${principal}`
    return this.#find(key, (now) =>
      'ordinal' in ref
        ? this.#sql.byName.get(column(principal), ref.ordinal, now)
        : this.#sql.byNamedAddress.get(column(principal), ref.address, now),
    )
  }

  async commit(
    principal: PrincipalKey,
    previous: SessionRecord | null,
    next: SessionRecord,
    most = Infinity,
  ): Promise<Committed> {
    assertCommittable(previous, next)
    const text = recordToText(next)
    return this.#writer.write((): Committed => {
      const now = this.#clock.now()
      const held = this.#sql.head.get(next.address)
      const head = held && held.expires > now ? held : undefined
      if (head?.commit_id !== next.commit) {
        if (head?.commit_id !== previous?.commit)
          return { committed: false, current: head ? this.#record(head) : null, now }
        const isNamed = head && this.#sql.ordinal.get(column(principal), next.address) !== undefined
        if (!isNamed && this.#isFull(column(principal), most, now))
          return { committed: false, current: head ? this.#record(head) : null, now, full: true }
        if (held && !head) this.#sql.dropNames.run(next.address)
        const { address, revision, row, commit, expiresAt } = next
        this.#sql.put.run(address, revision, row.generation, commit, row.expiresAt, expiresAt, text)
      }
      return { committed: true, ordinal: this.#name(column(principal), next.address) }
    })
  }

  async touch(
    address: string,
    generation: number,
    rowExpiresAt: number,
    recordExpiresAt: number,
  ): Promise<void> {
    await this.#writer.write(() => {
      const now = this.#clock.now()
      this.#sql.touch.run(rowExpiresAt, recordExpiresAt, address, generation, now, now)
    })
  }

  async tell(principal: PrincipalKey, address: string, revision: number): Promise<void> {
    await this.#writer.write(() => this.#sql.tell.run(revision, column(principal), address))
  }

  async list(
    principal: PrincipalKey,
    limit: number,
  ): Promise<readonly { readonly ordinal: number; readonly record: SessionRecord }[]> {
    const rows = await whenFree(this.#file, () =>
      this.#sql.newestNames.all(column(principal), this.#clock.now(), limit),
    )
    return rows.map((row) => ({ ordinal: row.ordinal, record: this.#record(row) }))
  }

  close(principal: PrincipalKey, address: string): Promise<boolean> {
    return this.#writer.write(() => {
      const head = this.#sql.head.get(address)
      if (!head || head.expires <= this.#clock.now()) return false
      if (this.#sql.dropName.run(column(principal), address) === 0) return false
      if (!this.#sql.anyName.get(address)) this.#sql.dropSession.run(address)
      return true
    })
  }

  async keepModel(digest: string, model: Catalog): Promise<void> {
    if (this.#kept.has(digest)) return
    const text = JSON.stringify(model)
    await this.#writer.write(() => this.#sql.keepModel.run(digest, text))
    this.#kept.add(digest)
  }

  async model(digest: string): Promise<Catalog | null> {
    const row = await whenFree(this.#file, () => this.#sql.model.get(digest))
    return row ? JSON.parse(row.body) : null
  }

  async #find(key: string, select: (now: number) => NamedRow | undefined): Promise<Found> {
    const now = this.#clock.now()
    const seen = await whenFree(this.#file, () =>
      this.#reads.of(key, () => {
        const row = select(now)
        return row && { record: this.#record(row), ordinal: row.ordinal, told: row.told ?? 0 }
      }),
    )
    if (!seen || seen.record.expiresAt <= now) return { record: null, ordinal: null, told: 0, now }
    const { record, ordinal, told } = seen
    return { record, ordinal, told, now }
  }

  /** The principal's number for the session, given now where it has none; inside a transaction. */
  #name(principal: string, address: string): number {
    const known = this.#sql.ordinal.get(principal, address)
    if (known) return known.ordinal
    const ordinal = this.#sql.nextOrdinal.get(principal)?.next ?? 0
    this.#sql.count.run(principal)
    this.#sql.giveName.run(principal, ordinal, address)
    return ordinal
  }

  /** Has the principal so many names? Counted only where so many were ever given; inside a transaction. */
  #isFull(principal: string, most: number, now: number): boolean {
    if ((this.#sql.nextOrdinal.get(principal)?.next ?? 0) < most) return false
    return (this.#sql.named.get(principal, now)?.named ?? 0) >= most
  }

  #record(row: SessionRow): SessionRecord {
    return this.#reader.read(row.body, row.row_expires, row.expires)
  }
}
