import type { Clock } from '../../../base/clock.ts'
import type { Catalog } from '../../../catalog/model.ts'
import type { SessionRecord } from '../../../session/record.ts'
import {
  bearerKey,
  type Committed,
  type Found,
  type Listed,
  type PrincipalKey,
  type SessionStore,
} from '../../../session/store.ts'
import { assertCommittable, digestsOf, RecordReader, recordToText, skipsAnew } from '../stored.ts'
import { whenFree } from './busy.ts'
import type { Driver } from './driver.ts'
import type { Life } from './life.ts'
import type { SqliteModels } from './models.ts'
import { Reads } from './reads.ts'
import { column } from './schema.ts'
import type { Writer } from './writer.ts'

interface SessionRow {
  readonly body: string
  readonly row_expires: number
  readonly expires: number
  readonly life: number
}
type NamedRow = SessionRow & { readonly ordinal: number | null; readonly delivered: number | null }

const RECORD = 's.body, s.row_expires, s.expires, s.life'

function statements(db: Driver) {
  return {
    byAddress: db.prepare<NamedRow>(
      `SELECT ${RECORD}, n.ordinal, n.told AS delivered FROM sessions s LEFT JOIN names n ON n.address = s.address AND n.principal = ?
       WHERE s.address = ? AND s.expires > ?`,
    ),
    byName: db.prepare<NamedRow>(
      `SELECT ${RECORD}, n.ordinal, n.told AS delivered FROM names n JOIN sessions s ON s.address = n.address
       WHERE n.principal = ? AND n.ordinal = ? AND s.expires > ?`,
    ),
    byNamedAddress: db.prepare<NamedRow>(
      `SELECT ${RECORD}, n.ordinal, n.told AS delivered FROM names n JOIN sessions s ON s.address = n.address
       WHERE n.principal = ? AND n.address = ? AND s.expires > ?`,
    ),
    newestNames: db.prepare<SessionRow & { readonly ordinal: number }>(
      `SELECT ${RECORD}, n.ordinal FROM names n JOIN sessions s ON s.address = n.address
       WHERE n.principal = ? AND s.expires > ? ORDER BY n.ordinal DESC LIMIT ?`,
    ),
    head: db.prepare<SessionRow & { readonly commit_id: string; readonly revision: number }>(
      `SELECT ${RECORD}, s.commit_id, s.revision FROM sessions s WHERE address = ?`,
    ),
    put: db.prepare(
      `INSERT INTO sessions (address, revision, generation, commit_id, row_expires, expires, body, life)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (address) DO UPDATE SET revision = excluded.revision, generation = excluded.generation,
         commit_id = excluded.commit_id, row_expires = excluded.row_expires, expires = excluded.expires, body = excluded.body,
         life = excluded.life`,
    ),
    touch: db.prepare(
      `UPDATE sessions SET row_expires = max(row_expires, ?), expires = max(expires, ?)
       WHERE address = ? AND generation = ? AND row_expires > ? AND expires > ?`,
    ),
    markDelivered: db.prepare('UPDATE names SET told = max(told, ?) WHERE principal = ? AND address = ?'),
    dropSession: db.prepare('DELETE FROM sessions WHERE address = ?'),
    ordinal: db.prepare<{ readonly ordinal: number }>(
      'SELECT ordinal FROM names WHERE principal = ? AND address = ?',
    ),
    nextOrdinal: db.prepare<{ readonly next: number; readonly life: number }>(
      'SELECT next, life FROM name_counters WHERE principal = ?',
    ),
    count: db.prepare(
      `INSERT INTO name_counters (principal, next, life) VALUES (?, ?, ?)
       ON CONFLICT (principal) DO UPDATE SET next = excluded.next, life = excluded.life`,
    ),
    dropCounter: db.prepare('DELETE FROM name_counters WHERE principal = ?'),
    giveName: db.prepare('INSERT INTO names (principal, ordinal, address) VALUES (?, ?, ?)'),
    named: db.prepare<{ readonly named: number }>(
      'SELECT count(*) AS named FROM names n JOIN sessions s ON s.address = n.address WHERE n.principal = ? AND s.expires > ?',
    ),
    dropName: db.prepare('DELETE FROM names WHERE principal = ? AND address = ?'),
    dropNames: db.prepare('DELETE FROM names WHERE address = ?'),
    anyName: db.prepare<{ readonly ordinal: number }>('SELECT ordinal FROM names WHERE address = ? LIMIT 1'),
  }
}

/** Shared by the sessions and entries of one file. */
export interface SqliteParts {
  readonly db: Driver
  readonly writer: Writer
  readonly file: string
  readonly clock: Clock
  readonly life: Life
}

/** Logical sessions in an SQLite file. */
export class SqliteSessions implements SessionStore {
  readonly #sql: ReturnType<typeof statements>
  readonly #writer: Writer
  readonly #file: string
  readonly #clock: Clock
  readonly #reader = new RecordReader()
  readonly #reads: Reads<Omit<Found, 'now'> & { readonly record: SessionRecord }>
  readonly #models: SqliteModels
  readonly #life: Life

  constructor({ db, writer, file, clock, life }: SqliteParts, models: SqliteModels) {
    this.#sql = statements(db)
    this.#models = models
    this.#life = life
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
    const pins = digestsOf(next)
    let remember = () => {}
    const committed = await this.#writer.write((): Committed => {
      const now = this.#clock.now()
      const held = this.#sql.head.get(next.address)
      const head = held && held.expires > now ? held : undefined
      if (head?.commit_id !== next.commit) {
        if (head?.commit_id !== previous?.commit)
          return { committed: false, current: head ? this.#record(head) : null, now, ...this.#lost(head) }
        const isExtended = head !== undefined && next.revision > head.revision
        // The new waves skip no numbers: theirs could be numbers that were allocated and then lost.
        if (head && isExtended && this.#isOlder(head) && !skipsAnew(previous, next))
          return { committed: false, current: this.#record(head), now, ...this.#lost(head) }
        const isNamed = head && this.#sql.ordinal.get(column(principal), next.address) !== undefined
        if (!isNamed && this.#isFull(column(principal), most, now))
          return { committed: false, current: head ? this.#record(head) : null, now, full: true }
        if (held && !head) this.#sql.dropNames.run(next.address)
        const { address, revision, row, commit, expiresAt } = next
        const life = head && !isExtended ? head.life : this.#life.now
        this.#sql.put.run(address, revision, row.generation, commit, row.expiresAt, expiresAt, text, life)
      }
      remember = this.#models.hold(pins, next.expiresAt)
      return { committed: true, ordinal: this.#name(column(principal), next.address) }
    })
    remember()
    return committed
  }

  async touch(
    address: string,
    generation: number,
    rowExpiresAt: number,
    recordExpiresAt: number,
  ): Promise<void> {
    let remember = () => {}
    await this.#writer.write(() => {
      const now = this.#clock.now()
      if (this.#sql.touch.run(rowExpiresAt, recordExpiresAt, address, generation, now, now) === 0) return
      const head = this.#sql.head.get(address)
      if (head) remember = this.#models.hold(digestsOf(this.#record(head)), head.expires)
    })
    remember()
  }

  async markDelivered(principal: PrincipalKey, address: string, revision: number): Promise<void> {
    await this.#writer.write(() => this.#sql.markDelivered.run(revision, column(principal), address))
  }

  async list(principal: PrincipalKey, limit: number): Promise<readonly Listed[]> {
    const now = this.#clock.now()
    const rows = await whenFree(this.#file, () => this.#sql.newestNames.all(column(principal), now, limit))
    return rows.map((row) => ({
      ordinal: row.ordinal,
      record: this.#reader.glance(row.body, row.row_expires, row.expires),
      now,
    }))
  }

  close(principal: PrincipalKey, address: string): Promise<boolean> {
    return this.#writer.write(() => {
      const head = this.#sql.head.get(address)
      if (!head || head.expires <= this.#clock.now()) return false
      if (this.#sql.dropName.run(column(principal), address) === 0) return false
      if (this.#sql.anyName.get(address)) return true
      this.#sql.dropSession.run(address)
      this.#sql.dropCounter.run(column(bearerKey(address)))
      return true
    })
  }

  keepModel(digest: string, model: Catalog): Promise<void> {
    return this.#models.keep(digest, model)
  }

  model(digest: string): Promise<Catalog | null> {
    return this.#models.load(digest)
  }

  async #find(key: string, select: (now: number) => NamedRow | undefined): Promise<Found> {
    const now = this.#clock.now()
    const seen = await whenFree(this.#file, () =>
      this.#reads.of(key, () => {
        const row = select(now)
        return (
          row && {
            record: this.#record(row),
            ordinal: row.ordinal,
            delivered: row.delivered ?? 0,
            ...this.#lost(row),
          }
        )
      }),
    )
    if (!seen || seen.record.expiresAt <= now)
      return { record: null, ordinal: null, delivered: 0, now, ...this.#lost(undefined) }
    return { ...seen, now }
  }

  /** Was it written in an earlier epoch of the file? */
  #isOlder({ life }: SessionRow): boolean {
    return life !== this.#life.now
  }

  /** @param row undefined for a session that is not there: one of the first epoch may have been lost */
  #lost(row: SessionRow | undefined): Pick<Found, 'lost'> {
    const lost = this.#life.forgottenSince(row?.life ?? 0)
    return lost > 0 ? { lost } : {}
  }

  /** The principal's number for the session, allocated on first use; inside a transaction. */
  #name(principal: string, address: string): number {
    const known = this.#sql.ordinal.get(principal, address)
    if (known) return known.ordinal
    const { next, life } = this.#sql.nextOrdinal.get(principal) ?? { next: 0, life: 0 }
    const ordinal = next + this.#life.forgottenSince(life)
    this.#sql.count.run(principal, ordinal + 1, this.#life.now)
    this.#sql.giveName.run(principal, ordinal, address)
    return ordinal
  }

  /** Has the principal reached this many names? Counted only if it ever had so many; inside a transaction. */
  #isFull(principal: string, most: number, now: number): boolean {
    if ((this.#sql.nextOrdinal.get(principal)?.next ?? 0) < most) return false
    return (this.#sql.named.get(principal, now)?.named ?? 0) >= most
  }

  #record(row: SessionRow): SessionRecord {
    return this.#reader.read(row.body, row.row_expires, row.expires)
  }
}
